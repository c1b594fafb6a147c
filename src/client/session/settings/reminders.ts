import {
  type ChannelState,
  changeRemindersRequest,
  type ReminderChannel,
  type ReminderSettingsPayload,
  type ReminderState,
  reminderSettingsRequest,
  reminderStateSchema,
  testReminderRequest,
  testResponseSchema,
} from '#contract/settings/reminders.ts';
import { callSignedIn } from '../signed-in-call.ts';

/** The settings of the account's reminders, and the state of each channel. */
export type Reminders = ReminderState;
/** The settings to change. */
export type RemindersChange = ReminderSettingsPayload;
export type Channel = ReminderChannel;
/** The result of a channel's last message. */
export type ChannelReport = ChannelState;

/** Throws an AccountError with the message to show, like all functions here. */
export function loadReminders(): Promise<Reminders> {
  return callSignedIn(reminderSettingsRequest(), reminderStateSchema, 'Failed to load reminders');
}

/** Changes the given settings, and returns all settings. */
export function changeReminders(payload: RemindersChange): Promise<Reminders> {
  const request = changeRemindersRequest(payload);
  return callSignedIn(request, reminderStateSchema, 'This could not be saved');
}

/**
 * Lets the server send a test message. Resolves once the channel's service has accepted it, to what the person should
 * know nevertheless, or null.
 */
export async function testReminder(channel: Channel): Promise<string | null> {
  const fallback = 'The message could not be sent';
  const request = testReminderRequest({ channel });
  const { warning } = await callSignedIn(request, testResponseSchema, fallback);
  return warning ?? null;
}
