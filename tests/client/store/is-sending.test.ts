import { expect, test } from 'vitest';
import { isSending } from '#client/store/outbox/is-sending.ts';
import { opRow, sentOnce } from '../../support/device-rows.ts';
import { freshDb } from '../../support/fresh-db.ts';

test('a change is on its way only while the answer to a send is awaited', async () => {
  const db = freshDb();
  expect(await isSending(db)).toBe(false);
  await db.outbox.bulkAdd([
    opRow({ seq: 1 }),
    opRow({ ...sentOnce, seq: 2, opId: 'uncertain', state: 'uncertain' }),
    opRow({ ...sentOnce, seq: 3, opId: 'rejected', state: 'rejected' }),
  ]);
  expect(await isSending(db)).toBe(false);
  await db.outbox.update(1, { state: 'inflight' });
  expect(await isSending(db)).toBe(true);
});
