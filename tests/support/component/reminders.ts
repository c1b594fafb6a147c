import type { ReminderState } from '#contract/settings/reminders.ts';

/** The reminders of an account that has received nothing yet. A new object each time, so that a test can change it. */
export function reminderState(): ReminderState {
  const nothing = { accepted_at: null, problem: null };
  return {
    digest_enabled: true,
    digest_time: '09:00',
    alerts_enabled: true,
    quiet_from: '22:00',
    quiet_to: '07:00',
    push_enabled: true,
    mail_enabled: false,
    ntfy_enabled: false,
    ntfy_url: null,
    push_key: 'BKey',
    push_subscriptions: 0,
    mail_to_files: false,
    channels: { push: nothing, mail: nothing, ntfy: nothing },
  };
}
