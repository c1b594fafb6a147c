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

/** The settings, and what each channel did last. Like all functions here it throws ApiError. */
export function fetchReminders(call: RequestOptions): Promise<ReminderState> {
  const fallback = 'Failed to load reminders';
  return sendRequest(reminderSettingsRequest(), call, reminderStateSchema, { fallback });
}

/** Changes the settings that are given, and returns all. */
export function changeReminders(
  payload: ReminderSettingsPayload,
  call: RequestOptions,
): Promise<ReminderState> {
  const fallback = 'This could not be saved';
  return sendRequest(changeRemindersRequest(payload), call, reminderStateSchema, { fallback });
}

/** Has a test message sent; resolves once the service has accepted it. */
export async function testReminder(channel: ReminderChannel, call: RequestOptions): Promise<void> {
  const fallback = 'The message could not be sent';
  await sendRequest(testReminderRequest({ channel }), call, anyJson, { fallback });
}
