import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureAccount } from '#server/accounts/sign-in-names.ts';
import { transaction } from '#server/database/transaction.ts';
import { verificationEmail } from '#server/mail/email.ts';
import { queueEmail } from '#server/mail/queue.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('an account and its verification email are committed in two phases, so that a crash loses neither', async () => {
  const notices: string[] = [];
  const now = server.clock();
  await transaction(server.db, async (tx) => {
    tx.$client.on('notice', ({ message = '' }) => notices.push(message));
    await tx.$client.query('SET LOCAL citus.log_remote_commands TO on');
    await tx.$client.query('SET LOCAL client_min_messages TO log');
    const person = { email: 'rosa@example.org', username: 'Rosa', passwordHash: 'x' };
    await ensureAccount(tx, { ...person, id: crypto.randomUUID(), createdAt: now });
    const content = verificationEmail('https://plants.example.org/verify');
    await queueEmail(tx, { to: person.email, content, now, lifetimeMs: 1_000 });
  });
  expect(notices.filter((text) => text.startsWith('issuing PREPARE TRANSACTION'))).toHaveLength(1);
  expect(notices.filter((text) => text.startsWith('issuing COMMIT PREPARED'))).toHaveLength(1);
});
