const prefix = 'send ';

/** The tag of the background sync that sends the outbox of this database. */
export function backgroundTagOf(dbName: string): string {
  return `${prefix}${dbName}`;
}

/** The database of a tag; null for a tag that is not ours. */
export function dbNameOf(tag: string): string | null {
  return tag.startsWith(prefix) ? tag.slice(prefix.length) : null;
}
