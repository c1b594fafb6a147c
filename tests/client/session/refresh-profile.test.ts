import { expect, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { signIn } from './support/signed-in-page.ts';

const rosa = { username: 'Rosa', email: 'rosa@garden.org', is_verified: true };

/** Signs in. The response to requests for the profile waits for `respond`. */
async function signInWithLateProfile() {
  const { promise, resolve } = deferred();
  const { getSession } = await signIn(async () => {
    await promise;
    return Response.json(rosa);
  });
  return { getSession, respond: resolve };
}

test('a profile that was requested on return to the page does not replace one that was changed meanwhile', async () => {
  const { getSession, respond } = await signInWithLateProfile();
  const { refreshProfile, applyProfile } = await import('#client/session/session.ts');
  const refreshed = refreshProfile();
  await applyProfile('a.b.c', { ...rosa, username: 'Rosalind' });
  respond();
  await refreshed;
  expect(getSession()).toMatchObject({ user: { username: 'Rosalind' } });
});

test('a profile that was requested before a new token replaced the earlier one does not bring back the earlier one', async () => {
  const { getSession, respond } = await signInWithLateProfile();
  const { refreshProfile, replaceToken } = await import('#client/session/session.ts');
  const refreshed = refreshProfile();
  replaceToken('a.b.c', 'd.e.f');
  respond();
  await refreshed;
  expect(getSession()).toMatchObject({ status: 'signed-in', token: 'd.e.f' });
});
