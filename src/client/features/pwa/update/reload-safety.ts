import { useEffect, useState } from 'react';
import { getSession } from '#client/session/session.ts';
import { isSending } from '#client/store/outbox/outbox.ts';
import { isPreparingPhotos } from '#client/store/photos/preparation.ts';
import { hasFormInput } from '#client/ui/form/form-input.ts';

const checkEveryMs = 500;

/**
 * Whether a reload now loses nothing: the session is known, no form has had input, no chosen photo is still to be stored
 * and no change is being sent.
 */
export async function canReloadSafely(): Promise<boolean> {
  if (hasFormInput() || isPreparingPhotos()) return false;
  const session = getSession();
  if (session.status === 'loading') return false;
  if (session.status === 'signed-out') return true;
  // If the database cannot be opened, no change is being sent.
  return !(await isSending(session.db).catch(() => false));
}

/** Polls canReloadSafely: that is cheap, and forms need not report their input. False until the first check is done. */
export function useCanReloadSafely(): boolean {
  const [isSafe, setSafe] = useState(false);
  // Forms, the device's database and the timer are outside of React.
  useEffect(() => {
    const check = () => void canReloadSafely().then(setSafe);
    check();
    const timer = setInterval(check, checkEveryMs);
    return () => clearInterval(timer);
  }, []);
  return isSafe;
}
