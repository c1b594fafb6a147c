import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { transaction } from '#server/database/transaction.ts';
import type { PeriodicJob } from '#server/jobs/job.ts';
import type { EmailTransport } from '#server/mail/email.ts';
import { createEmailSender, senderFor } from '#server/mail/email-sender.ts';
import { claimDueEmail, type EmailKind, queueEmail } from '#server/mail/queue.ts';
import { deferred } from '../../support/deferred.ts';
import { testClock } from '../../support/server/clock.ts';
import { type MemoryMail, memoryMail } from '../../support/server/memory-mail.ts';
import { person, register } from '../../support/server/registration.ts';
import { sendDueEmails } from '../../support/server/send-due-emails.ts';
import { openTestServer, publicUrl, type TestServer } from '../../support/server/server.ts';

const secondMs = 1_000;
const hourMs = 3_600_000;

let server: TestServer;
let mail: MemoryMail;
let failures: string[];
let senders: PeriodicJob[];
let wake: () => void;
beforeEach(async () => {
  mail = memoryMail();
  failures = [];
  senders = [];
  wake = () => undefined;
  server = await openTestServer(testClock(), { emailQueued: () => wake() });
});
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.stop()));
  await server.close();
});

function options(transport: EmailTransport = mail) {
  const { db, clock } = server;
  const onFailure = (code: string, isRetried: boolean) => {
    failures.push(isRetried ? code : `${code}, not retried`);
  };
  return { db, clock, transport, onFailure };
}

/** Starts an email sender like that of a server process. */
function startSender(transport?: EmailTransport): PeriodicJob {
  const sender = createEmailSender(options(transport));
  senders.push(sender);
  sender.start();
  return sender;
}

/** Queues emails to different people. */
async function queueMany({ needed = 0, reminder = 0 }: Partial<Record<EmailKind, number>>) {
  const now = server.clock();
  const content = { subject: 'x', text: 'x', html: 'x', link: publicUrl };
  const shared = { content, now, lifetimeMs: hourMs };
  await transaction(server.db, async (tx) => {
    for (let n = 0; n < needed; n += 1) await queueEmail(tx, { ...shared, to: `needed${n}` });
    for (let n = 0; n < reminder; n += 1) {
      const owner = { userId: crypto.randomUUID(), quiet: null };
      await queueEmail(tx, { ...shared, to: `reminder${n}`, reminder: owner });
    }
  });
}

async function waiting(): Promise<number> {
  const { rows } = await server.db.pool.query('SELECT count(*)::int AS n FROM mail_outbox');
  return rows[0].n;
}

/** An error of nodemailer. By default, the mail server has rejected the recipient. */
function refusal(fields: object): Error {
  const response = `550 5.1.1 no mailbox ${person.email}`;
  const rejected = { code: 'EENVELOPE', responseCode: 550, response, command: 'RCPT TO' };
  return Object.assign(new Error(response), rejected, fields);
}

/** Shorter than the time between two polls of the sender. */
const beforeNextPoll = { timeout: 10_000 };

test('an email is sent after the response to its request, without waiting for the next poll', async () => {
  wake = startSender().wake;
  await expect.poll(waiting).toBe(0);
  await register(server);
  await expect.poll(() => mail.sent, beforeNextPoll).toHaveLength(1);
  await register(server, { email: 'other@example.org' });
  await expect.poll(() => mail.sent, beforeNextPoll).toHaveLength(2);
  expect(mail.sent.map(({ to }) => to)).toEqual([person.email, 'other@example.org']);
});

test('emails queued by an earlier process are sent at the start', async () => {
  await register(server);
  startSender();
  await expect.poll(() => mail.sent, beforeNextPoll).toHaveLength(1);
});

test('requests get responses while the mail server does not respond', async () => {
  const stuck = deferred();
  const taken: string[] = [];
  wake = startSender({
    send: async ({ to }) => {
      taken.push(to);
      await stuck.promise;
    },
  }).wake;
  await register(server);
  await expect.poll(() => taken).toEqual([person.email]);
  const other = await register(server, { email: 'other@example.org' });
  expect(other.statusCode).toBe(201);
  stuck.resolve();
  await expect.poll(() => taken).toEqual([person.email, 'other@example.org']);
});

test('an email that cannot be sent is retried, and its request succeeds', async () => {
  mail.problem = refusal({ responseCode: 450 });
  expect((await register(server)).statusCode).toBe(201);
  await sendDueEmails(options());
  expect(failures).toEqual(['EENVELOPE 450']);
  mail.problem = null;
  server.clock.advance(30 * secondMs - 1);
  await sendDueEmails(options());
  expect(mail.sent).toEqual([]);
  server.clock.advance(1);
  await sendDueEmails(options());
  await sendDueEmails(options());
  expect(mail.sent).toHaveLength(1);
  expect(await waiting()).toBe(0);
});

test('an email whose recipient the mail server rejects for good is not retried', async () => {
  mail.problem = refusal({ responseCode: 550 });
  await register(server);
  await sendDueEmails(options());
  expect(failures).toEqual(['EENVELOPE 550, not retried']);
  expect(await waiting()).toBe(0);
});

test.each([
  ['a sender that is rejected', { command: 'MAIL FROM' }],
  ['a wrong password', { code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }],
  ['a policy, such as that against relaying', { response: '550 5.7.1 Relaying denied' }],
  ['no response', { code: 'ETIMEDOUT', responseCode: undefined, command: 'CONN' }],
])('an email that is not sent because of %s is retried', async (_, fields) => {
  mail.problem = refusal(fields);
  await register(server);
  await sendDueEmails(options());
  mail.problem = null;
  server.clock.advance(30 * secondMs);
  await sendDueEmails(options());
  expect(mail.sent).toHaveLength(1);
});

test('the delay between attempts grows from 30 seconds to an hour', async () => {
  mail.problem = new Error('away');
  await register(server);
  const pauses: number[] = [];
  let since = 0;
  for (; pauses.length < 9; since += 30) {
    const before = failures.length;
    await sendDueEmails(options());
    if (failures.length > before && since > 0) {
      pauses.push(since);
      since = 0;
    }
    server.clock.advance(30 * secondMs);
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
});

test('an email that fails does not delay the others', async () => {
  mail.problem = new Error('away');
  await register(server);
  await sendDueEmails(options());
  mail.problem = null;
  await register(server, { email: 'other@example.org' });
  await sendDueEmails(options());
  expect(failures).toEqual(['Error']);
  expect(mail.sent.map(({ to }) => to)).toEqual(['other@example.org']);
});

test('two processes that send in parallel send each email once', async () => {
  const addresses = Array.from({ length: 20 }, (_, i) => `person${i}@example.org`);
  for (const email of addresses) await register(server, { email });
  const slow: EmailTransport = {
    send: async (message) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await mail.send(message);
    },
  };
  startSender(slow);
  startSender(slow);
  await expect.poll(waiting).toBe(0);
  expect(mail.sent.map(({ to }) => to).sort()).toEqual(addresses.toSorted());
  expect(failures).toEqual([]);
});

test('an email that one process has claimed is skipped by others, and is sent later if that process dies', async () => {
  await register(server);
  const claimed = await claimDueEmail(server.db, 'needed', server.clock());
  expect(claimed).toMatchObject({ recipient: person.email });
  await sendDueEmails(options());
  expect(mail.sent).toEqual([]);
  server.clock.advance(30 * secondMs);
  await sendDueEmails(options());
  expect(mail.sent).toHaveLength(1);
});

test('an email queued while the clock was ahead is due as soon as the clock is right again, and is retried 30 seconds after a failure', async () => {
  server.clock.advance(2 * hourMs + 1);
  await queueMany({ needed: 1, reminder: 1 });
  server.clock.advance(-2 * hourMs - 1);
  mail.problem = new Error('away');
  await sendDueEmails(options());
  expect(failures).toHaveLength(2);
  mail.problem = null;
  server.clock.advance(30 * secondMs - 1);
  await sendDueEmails(options());
  expect(mail.sent).toEqual([]);
  server.clock.advance(1);
  await sendDueEmails(options());
  expect(mail.sent).toHaveLength(2);
});

test('an email that the mail server has not accepted after 20 seconds is aborted and retried', async () => {
  await queueMany({ needed: 1 });
  const begun = deferred();
  const hanging: EmailTransport = {
    send: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
        begun.resolve();
      }),
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
  onTestFinished(() => void vi.useRealTimers());
  const sender = senderFor(options(hanging), 'needed');
  await sender.run();
  await begun.promise;
  await vi.advanceTimersByTimeAsync(20 * secondMs - 1);
  expect(failures).toEqual([]);
  vi.advanceTimersByTime(1);
  await sender.whenIdle();
  expect(failures).toEqual(['Error']);
  server.clock.advance(30 * secondMs);
  await sendDueEmails(options());
  expect(mail.sent).toHaveLength(1);
});

test('an email whose link has expired is deleted', async () => {
  mail.problem = new Error('away');
  await register(server);
  await sendDueEmails(options());
  mail.problem = null;
  server.clock.advance(24 * hourMs);
  await sendDueEmails(options());
  expect(mail.sent).toEqual([]);
  expect(await waiting()).toBe(0);
});

test('stopping waits for the emails in progress and claims no other', async () => {
  await queueMany({ needed: 5 });
  const sent = deferred();
  let taken = 0;
  const sender = startSender({
    send: async (message) => {
      taken += 1;
      await sent.promise;
      await mail.send(message);
    },
  });
  await expect.poll(() => taken).toBe(2);
  const stopped = sender.stop();
  sent.resolve();
  await stopped;
  expect(mail.sent).toHaveLength(2);
  expect(await waiting()).toBe(3);
});

test('at most four reminder emails are in progress at a time, and slow ones do not delay a verification email', async () => {
  await queueMany({ reminder: 9 });
  const stuck = deferred();
  const taken: string[] = [];
  wake = startSender({
    send: async (message) => {
      taken.push(message.to);
      if (message.to.startsWith('reminder')) await stuck.promise;
      await mail.send(message);
    },
  }).wake;
  await expect.poll(() => taken).toHaveLength(4);
  await register(server);
  await expect.poll(() => mail.sent.map(({ to }) => to)).toEqual([person.email]);
  expect(taken).toHaveLength(5);
  stuck.resolve();
  await expect.poll(waiting).toBe(0);
  expect(new Set(taken).size).toBe(10);
  expect(mail.sent).toHaveLength(10);
});

test('a registration that fails halfway leaves neither an account nor an email', async () => {
  const broken = await openTestServer(testClock(), {
    publicUrl: () => {
      throw new Error('not known');
    },
  });
  expect((await register(broken)).statusCode).toBe(500);
  const { rows } = await broken.db.pool.query(
    'SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM mail_outbox) AS n',
  );
  expect(rows).toEqual([{ n: '0' }]);
  await broken.close();
});
