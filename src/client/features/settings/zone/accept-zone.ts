import { changeTimeZone } from '#client/session/settings/profile.ts';
import { announce } from '#client/ui/feedback/screen-reader.tsx';

/**
 * Sets the account's time zone to `name`, the zone of this device, and announces the change. In a module of its own, so
 * that the first screen can offer it without loading profile.ts. Throws an AccountError with the message to show.
 */
export async function acceptZone(name: string): Promise<void> {
  await changeTimeZone(name);
  announce(`Dates are shown in the time zone ${name}`);
}
