/** What reminders need from the configuration. */
export interface ReminderOptions {
  /** Origins of push services besides the known ones, such as 'https://push.example.org'. */
  pushOrigins: readonly string[];
  /** Whether ntfy topics may be in private networks. */
  allowsPrivateNtfy: boolean;
  /** Whom a push service may contact about this server: a mailto or https URL. */
  contact: string;
}

export const reminderDefaults: ReminderOptions = {
  pushOrigins: [],
  allowsPrivateNtfy: false,
  contact: 'mailto:nobody@example.org',
};

interface Identity {
  mailFrom: string | null;
  publicUrl: string | null;
}

/** The contact for push services. They reject localhost, so only a public email address or URL is used. */
export function contactOf({ mailFrom, publicUrl }: Identity): string {
  if (mailFrom && !/@(localhost|[^.]+)$/i.test(mailFrom)) return `mailto:${mailFrom}`;
  const host = publicUrl?.startsWith('https://') ? new URL(publicUrl).hostname : '';
  const isPublic = host.includes('.') && !host.endsWith('.localhost');
  return publicUrl && isPublic ? publicUrl : reminderDefaults.contact;
}
