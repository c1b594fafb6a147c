import { minuteMs } from '#domain/time.ts';
import { offsetAt, type TimeZone } from '#domain/zone.ts';

/** Whether this device's clock shows another time of day than clocks in the zone at `now` (ms). Does not use Intl. */
export function isElsewhere(zone: TimeZone, now: number): boolean {
  return -new Date(now).getTimezoneOffset() * minuteMs !== offsetAt(zone, now);
}

/** The IANA name of this device's time zone. */
export function deviceZoneName(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The zones to choose from, with the default first. `chosen` is one of them even if this browser does not list it. */
export function zoneOptions(chosen: string | null): [value: string, label: string][] {
  const listed = 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : [];
  const names = new Set([...listed, 'UTC', deviceZoneName(), ...(chosen === null ? [] : [chosen])]);
  return [
    ['', 'UTC+7 (default)'],
    ...[...names].sort().map((name): [string, string] => [name, name.replaceAll('_', ' ')]),
  ];
}
