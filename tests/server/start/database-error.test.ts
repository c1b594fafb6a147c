import { expect, test } from 'vitest';
import { targetError } from '#server/transfer/target.ts';

test('an unreachable database whose host name has several IP addresses is described with a reason', () => {
  const refused = ['::1', '127.0.0.1'].map((address) =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}:5432`), { code: 'ECONNREFUSED' }),
  );
  const error = Object.assign(new AggregateError(refused), { code: 'ECONNREFUSED' });
  expect(targetError(error)).toMatchObject({
    exitCode: 1,
    message:
      'The new database: it does not respond; check that it runs and can be reached from here, and run this again (connect ECONNREFUSED ::1:5432).',
  });
});
