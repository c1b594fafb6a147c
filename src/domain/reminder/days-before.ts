import { daysOf } from '../watering/schedule.ts';

/** How many days before a plant is due a person can choose to be reminded of it. */
export const reminderDays: readonly number[] = [0, 1, 2, 3, 7];

/** When the reminder of a plant comes: 'When it is due', '1 day before due'. */
export function reminderTime(daysBefore: number): string {
  return daysBefore === 0 ? 'When it is due' : `${daysOf(daysBefore)} before due`;
}
