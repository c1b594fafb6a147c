import * as api from '#client/api/reminders.ts';
import type {
  ChannelState,
  ReminderChannel,
  ReminderSettingsPayload,
  ReminderState,
} from '#contract/settings/reminders.ts';
import { asSignedIn } from './signed-in-call.ts';

/** The settings of the account's reminders, and what each channel did last. */
export type Reminders = ReminderState;
/** The settings to change. */
export type RemindersChange = ReminderSettingsPayload;
export type Channel = ReminderChannel;
/** What a channel did last. */
export type ChannelReport = ChannelState;

/** Like all functions here it throws an AccountError with the message to show. */
export function loadReminders(): Promise<Reminders> {
  return asSignedIn(api.fetchReminders, 'Failed to load reminders');
}

/** Changes the settings that are given, and returns all. */
export function changeReminders(payload: RemindersChange): Promise<Reminders> {
  return asSignedIn((call) => api.changeReminders(payload, call), 'This could not be saved');
}

/** Has a test message sent; resolves once the service has accepted it. */
export async function testReminder(channel: Channel): Promise<void> {
  await asSignedIn((call) => api.testReminder(channel, call), 'The message could not be sent');
}
