import {
  changeRemindersRequest,
  type ReminderChannel,
  type ReminderSettingsPayload,
  type ReminderState,
  reminderSettingsRequest,
  reminderStateSchema,
  testReminderRequest,
} from '#contract/settings/reminders.ts';
import { anyJson, sendRequest } from './http.ts';
import type { RequestOptions } from './send.ts';

/** The settings, and the state of each channel. Throws ApiError, like all functions here. */
export function fetchReminders(call: RequestOptions): Promise<ReminderState> {
  const fallback = 'Failed to load reminders';
  return sendRequest(reminderSettingsRequest(), call, reminderStateSchema, { fallback });
}

/** Changes the given settings, and returns all settings. */
export function changeReminders(
  payload: ReminderSettingsPayload,
  call: RequestOptions,
): Promise<ReminderState> {
  const fallback = 'This could not be saved';
  return sendRequest(changeRemindersRequest(payload), call, reminderStateSchema, { fallback });
}

/** Lets the server send a test message. Resolves once the channel's service has accepted it. */
export async function testReminder(channel: ReminderChannel, call: RequestOptions): Promise<void> {
  const fallback = 'The message could not be sent';
  await sendRequest(testReminderRequest({ channel }), call, anyJson, { fallback });
}
