import { once } from 'node:events';
import net from 'node:net';
import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeExternalError } from '#server/start/database-error.ts';
import { describeStartError, listenError } from '#server/start/start-error.ts';

test('a query that fails at the start is reported with the reason but without the query’s values', () => {
  const cause = new Error('unsupported startup parameter: statement_timeout');
  const error = new DrizzleQueryError('select … where email = $1', ['ada@example.org'], cause);
  expect(describeStartError(error)).toBe('unsupported startup parameter: statement_timeout');
});

test('an unreachable database is reported as such even if its error is only the cause of a query error', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const error = new DrizzleQueryError('select 1', [], refused);
  expect(describeStartError(describeExternalError(error))).toMatch(
    /^the database of DATABASE_URL: it does not respond/,
  );
});

test('an unreachable database whose host name has several IP addresses is reported with a reason', () => {
  const refused = ['::1', '127.0.0.1'].map((address) =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}:5432`), { code: 'ECONNREFUSED' }),
  );
  const error = Object.assign(new AggregateError(refused), { code: 'ECONNREFUSED' });
  expect(describeStartError(describeExternalError(error))).toBe(
    'the database of DATABASE_URL: it does not respond; check that it runs and can be reached from here, and run this again (connect ECONNREFUSED ::1:5432)',
  );
});

test.each(['EAI_AGAIN', 'EHOSTUNREACH', 'ETIMEDOUT'])(
  'a database that is not reached because of %s is reported as such',
  (code) => {
    const error = Object.assign(new Error(`connect ${code}`), { code });
    expect(describeStartError(describeExternalError(error))).toMatch(
      /^the database of DATABASE_URL: it does not respond/,
    );
  },
);

test('a database that accepts the connection and then stays silent is reported as such', () => {
  const cause = new Error('Connection terminated unexpectedly');
  const error = new Error('Connection terminated due to connection timeout', { cause });
  expect(describeStartError(describeExternalError(error))).toMatch(
    /^the database of DATABASE_URL: it does not respond/,
  );
});

test('the loss of the embedded database is not reported as one of DATABASE_URL', () => {
  const error = new Error('Connection terminated unexpectedly');
  expect(describeStartError(error)).toBe('Connection terminated unexpectedly');
});

test.each(['sprig.invalid', '192.0.2.1'])(
  'HOST=%s, which this machine does not have, is reported as a wrong HOST and not as a lost database',
  async (host) => {
    const server = net.createServer();
    server.listen({ host, port: 0 });
    const [error] = await once(server, 'error').catch((reason: unknown) => [reason]);
    expect(describeStartError(listenError(error))).toMatch(
      /^the configuration is wrong: HOST must be an address of this machine/,
    );
  },
);
