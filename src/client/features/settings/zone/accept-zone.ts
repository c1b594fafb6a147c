import { changeTimeZone } from '#client/session/profile.ts';
import { announce } from '#client/ui/feedback/screen-reader.tsx';

/**
 * Uses this device's time zone. A module of its own, so that the first screen can offer it without loading the code of
 * profiles. Throws an AccountError with the message to show.
 */
export async function acceptZone(name: string): Promise<void> {
  await changeTimeZone(name);
  announce(`Dates are shown in the time zone ${name}`);
}
