import { expect, test } from 'vitest';
import { deferred } from '../../../support/deferred.ts';
import { signIn } from '../support/signed-in-page.ts';

const rosa = { username: 'Rosa', email: 'rosa@garden.org', is_verified: true };

test('a change of the profile is sent only after the one before has got its response', async () => {
  const firstResponse = deferred();
  const sent: unknown[] = [];
  const { profile } = await signIn(async (_, { body }) => {
    sent.push(JSON.parse(String(body)));
    if (sent.length === 1) await firstResponse.promise;
    return Response.json(rosa);
  });
  const changes = [profile.changeName('Ann'), profile.changeTimeZone('Europe/Oslo')];
  await expect.poll(() => sent.length).toBeGreaterThan(0);
  expect(sent).toEqual([{ username: 'Ann' }]);
  firstResponse.resolve();
  await Promise.all(changes);
  expect(sent).toEqual([{ username: 'Ann' }, { time_zone: 'Europe/Oslo' }]);
});

test('a change that waits is not sent if another person signs in meanwhile', async () => {
  const firstResponse = deferred();
  const sent: unknown[] = [];
  const page = await signIn(async (_, { body }) => {
    sent.push(JSON.parse(String(body)));
    await firstResponse.promise;
    return Response.json(rosa);
  });
  const first = page.profile.changeName('Ann');
  const second = page.profile.changeTimeZone('Europe/Oslo');
  await expect.poll(() => sent).toEqual([{ username: 'Ann' }]);
  page.closeSession();
  const { openSession } = await import('#client/session/session.ts');
  await openSession('d.e.f', { ...rosa, email: 'otto@garden.org' });
  firstResponse.resolve();
  await first;
  await expect(second).rejects.toThrow('This could not be saved');
  expect(sent).toHaveLength(1);
  expect(page.getSession()).toMatchObject({ user: { email: 'otto@garden.org' } });
});
