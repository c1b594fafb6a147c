import { getSession } from '#client/session/session.ts';
import { isSending } from '#client/store/outbox/is-sending.ts';
import { hasTypedForm } from './typed-forms.ts';

/** Whether a reload now would take nothing from anybody: no form is being filled in, no change is on its way. */
export async function nothingToLose(): Promise<boolean> {
  if (hasTypedForm()) return false;
  const session = getSession();
  if (session.status === 'loading') return false;
  if (session.status === 'signed-out') return true;
  // From a database that does not open, nothing is on its way.
  return !(await isSending(session.db).catch(() => false));
}
