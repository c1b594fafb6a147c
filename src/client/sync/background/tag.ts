const prefix = 'send ';

/** What the page asks the browser under, and the service worker is called by. */
export function backgroundTagOf(dbName: string): string {
  return `${prefix}${dbName}`;
}

/** The database that a tag is about; null for what is not ours. */
export function dbNameOf(tag: string): string | null {
  return tag.startsWith(prefix) ? tag.slice(prefix.length) : null;
}
