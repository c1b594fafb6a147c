/** A time of day 'HH:MM' as minutes since midnight; NaN for a malformed one. */
export function minuteOf(timeOfDay: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(timeOfDay) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

/** Minutes since midnight as a time of day: 540 is '09:00'. */
export function timeOfDay(minute: number): string {
  const hours = String(Math.floor(minute / 60)).padStart(2, '0');
  return `${hours}:${String(minute % 60).padStart(2, '0')}`;
}
