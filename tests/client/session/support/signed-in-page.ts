import { onTestFinished, vi } from 'vitest';
import type { Fetch } from '#client/api/send.ts';

const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

/** The calls of the settings in a page with its own session, whose token is 'a.b.c' and whose network is `fetch`. */
export async function signIn(fetch: Fetch) {
  // session.ts stores the session in its module, so each test imports it anew, as a new page does.
  vi.resetModules();
  vi.stubGlobal('fetch', fetch);
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('window', { localStorage: storage, sessionStorage: storage });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { closeSession, getSession, openSession } = await import('#client/session/session.ts');
  await openSession('a.b.c', { username: 'Rosa', email: 'rosa@garden.org', is_verified: true });
  return {
    closeSession,
    getSession,
    calendar: await import('#client/session/settings/calendar.ts'),
    devices: await import('#client/session/settings/devices.ts'),
    profile: await import('#client/session/settings/profile.ts'),
    reminders: await import('#client/session/settings/reminders.ts'),
  };
}
