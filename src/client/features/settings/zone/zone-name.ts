/** The name of a time zone on screens. `name`: an IANA name; null for the zone of accounts that have chosen none. */
export function zoneName(name: string | null): string {
  return name === null ? 'UTC+7' : name.replaceAll('_', ' ');
}
