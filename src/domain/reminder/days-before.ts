import { daysOf } from '../watering/schedule.ts';

/** The choices for the number of days before a plant is due at which the person is reminded. */
export const reminderDays: readonly number[] = [0, 1, 2, 3, 7];

/** When a plant's reminder is sent, in words: 'When it is due', '1 day before due'. */
export function reminderTime(daysBefore: number): string {
  return daysBefore === 0 ? 'When it is due' : `${daysOf(daysBefore)} before due`;
}
