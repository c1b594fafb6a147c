import { minuteMs } from '#domain/time.ts';
import { offsetAt, type TimeZone } from '#domain/zone.ts';

/** Whether this device's clock shows another time of day than clocks in the zone at `now` (ms). Does not use Intl. */
export function isElsewhere(zone: TimeZone, now: number): boolean {
  return -new Date(now).getTimezoneOffset() * minuteMs !== offsetAt(zone, now);
}

/** This device's offset from UTC at `now` (ms), such as UTC+5:30. Does not use Intl. */
export function deviceOffsetText(now: number): string {
  const minutesEast = -new Date(now).getTimezoneOffset();
  const minutes = Math.abs(minutesEast);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const sign = minutesEast < 0 ? '−' : '+';
  return `UTC${sign}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
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
