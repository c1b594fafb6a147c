import * as api from '#client/api/reminders.ts';
import type {
  ChannelState,
  ReminderChannel,
  ReminderSettingsPayload,
  ReminderState,
} from '#contract/settings/reminders.ts';
import { asSignedIn } from './signed-in-call.ts';

/** The settings of the account's reminders, and the state of each channel. */
export type Reminders = ReminderState;
/** The settings to change. */
export type RemindersChange = ReminderSettingsPayload;
export type Channel = ReminderChannel;
/** The result of a channel's last message. */
export type ChannelReport = ChannelState;

/** Throws an AccountError with the message to show, like all functions here. */
export function loadReminders(): Promise<Reminders> {
  return asSignedIn(api.fetchReminders, 'Failed to load reminders');
}

/** Changes the given settings, and returns all settings. */
export function changeReminders(payload: RemindersChange): Promise<Reminders> {
  return asSignedIn((call) => api.changeReminders(payload, call), 'This could not be saved');
}

/** Lets the server send a test message. Resolves once the channel's service has accepted it. */
export async function testReminder(channel: Channel): Promise<void> {
  await asSignedIn((call) => api.testReminder(channel, call), 'The message could not be sent');
}
