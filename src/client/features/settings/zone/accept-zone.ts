import { changeTimeZone } from '#client/session/profile.ts';
import { announce } from '#client/ui/feedback/screen-reader.tsx';

/**
 * Sets the account's time zone to this device's, `name`. A module of its own, so that the first screen can offer this
 * without loading the code of profiles. Throws an AccountError with the message to show.
 */
export async function acceptZone(name: string): Promise<void> {
  await changeTimeZone(name);
  announce(`Dates are shown in the time zone ${name}`);
}
