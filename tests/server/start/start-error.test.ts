import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeStartError } from '#server/start/open-server.ts';

test('a query that fails at the start is reported with the reason but without the query’s values', () => {
  const cause = new Error('unsupported startup parameter: statement_timeout');
  const error = new DrizzleQueryError('select … where email = $1', ['ada@example.org'], cause);
  expect(describeStartError(error)).toBe('unsupported startup parameter: statement_timeout');
});

test('an unreachable database is reported as such, however deep in the error’s causes', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const error = new DrizzleQueryError('select 1', [], refused);
  expect(describeStartError(error)).toMatch(/^the database of DATABASE_URL does not answer/);
});
