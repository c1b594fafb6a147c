import type { Database } from '../database/database.ts';

const accountsAtOnce = 1_000;

/**
 * The ids of all accounts, for jobs that work account by account, because a statement of one account needs one machine.
 */
export async function* accountsOf({ pool }: Database): AsyncGenerator<string> {
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await pool.query<{ id: string }>({
      name: 'accounts-after',
      text: 'SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT $2',
      values: [last, accountsAtOnce],
    });
    for (const { id } of rows) yield id;
    if (rows.length < accountsAtOnce) return;
    last = rows.at(-1)?.id ?? last;
  }
}
