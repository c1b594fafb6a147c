import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReminderState } from '#contract/settings/reminders.ts';
import { changeEmail } from '#server/accounts/sign-in-names.ts';
import { transaction } from '#server/database/transaction.ts';
import { openEmailTransport } from '#server/mail/email-transport.ts';
import { mailRecorder } from '#server/reminders/channels/channel-result.ts';
import { changeReminderEmail } from '#server/reminders/settings.ts';
import { readConfig } from '#server/start/config.ts';
import { untilWaiting } from '../../support/database/database-waits.ts';
import { oneMachineTest } from '../../support/database/one-machine.ts';
import { changeReminders, check, setTimeZone } from '../../support/reminders/reminders.ts';
import { type TestClock, testClock } from '../../support/server/clock.ts';
import { type Eml, readEml } from '../../support/server/read-eml.ts';
import { follow, person, register } from '../../support/server/registration.ts';
import { requestAs } from '../../support/server/request.ts';
import { sendDueEmails } from '../../support/server/send-due-emails.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  publicUrl,
  type TestServer,
} from '../../support/server/server.ts';
import { openSmtpServer, type SmtpTestServer } from '../../support/server/smtp-server.ts';

const hourMs = 3_600_000;

let server: TestServer;
let clock: TestClock;
let account: Account;
let smtp: SmtpTestServer;
/** The clock shows 09:00 in UTC+7; the quiet hours begin at 21:00. */
beforeEach(async () => {
  smtp = await openSmtpServer();
  clock = testClock('2026-11-20T01:00:00.000Z');
  server = await openTestServer(clock);
  account = await server.addAccount('rosa@example.org');
  await changeReminders(server, account, { mail_enabled: true });
  await addPlant(server, account, { nickname: 'Monty & <b>Fern</b>', device_id: 'pot-1' });
  await server.db.pool.query('UPDATE plants SET next_watering_date = $1', [clock()]);
  clock.advance(hourMs);
});
afterEach(async () => {
  await smtp.close();
  await server.close();
});

/** Sends the queued emails through the mail server at this URL. Resolves to the failures. */
async function sendBy(url: string): Promise<string[]> {
  const config = readConfig({ SMTP_URL: url, MAIL_FROM: 'sprig@example.org' });
  const { transport } = openEmailTransport(config, clock);
  const failures: string[] = [];
  await sendDueEmails({
    db: server.db,
    clock,
    transport,
    onFailure: (code) => void failures.push(code),
    onReminder: mailRecorder(server),
  });
  return failures;
}

async function mailState() {
  const state = await requestAs(server, account)('GET', '/api/reminders');
  return state.json<ReminderState>().channels.mail;
}

async function received(): Promise<Eml> {
  expect(await check(server)).toBe(true);
  expect(await sendBy(smtp.url)).toEqual([]);
  return readEml(smtp.received[0]?.source ?? '');
}

test('a digest arrives as text and as HTML with escaped names', async () => {
  const { headers, text, html } = await received();
  expect(smtp.received).toHaveLength(1);
  expect(headers).toMatch(/^Content-Type: multipart\/alternative;/m);
  expect(headers).toMatch(/^To: rosa@example\.org\r$/m);
  expect(text).toContain('Due today or earlier:\n\n- Monty & <b>Fern</b>\n');
  expect(html).toContain('<li>Monty &amp; &lt;b&gt;Fern&lt;/b&gt;</li>');
  for (const body of [text, html]) expect(body).toContain(`${publicUrl}/dashboard/schedule`);
});

test('the headers of a digest contain an unsubscribe URL, and after one POST to it no further digest is sent', async () => {
  const { headers } = await received();
  const unfolded = headers.replaceAll(/\r\n[ \t]+/g, ' ');
  expect(unfolded).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  const url = /^List-Unsubscribe: <(\S+)>$/m.exec(unfolded)?.[1] ?? '';
  expect(url).toContain(publicUrl);
  const response = await requestAs(server, null)('POST', url.replace(publicUrl, ''), {
    payload: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(response.statusCode).toBe(200);
  clock.advance(24 * hourMs);
  expect(await check(server)).toBe(false);
});

test('a digest counts as accepted when the mail server has accepted it; after a refusal the person sees why', async () => {
  await check(server);
  expect(await mailState()).toEqual({ accepted_at: null, problem: null });
  const refusing = await openSmtpServer({ recipients: '450 mailbox busy' });
  expect(await sendBy(refusing.url)).toEqual(['EENVELOPE 450']);
  await refusing.close();
  const problem = 'The mail server did not accept the message (status 450)';
  expect(await mailState()).toEqual({ accepted_at: null, problem });
  clock.advance(30_000);
  expect(await sendBy(smtp.url)).toEqual([]);
  expect(await mailState()).toEqual({ accepted_at: clock().toISOString(), problem: null });
});

test('a digest whose recipient is rejected for good is not sent again, and the person sees why', async () => {
  await check(server);
  const refusing = await openSmtpServer({ recipients: '550 no such person' });
  expect(await sendBy(refusing.url)).toEqual(['EENVELOPE 550']);
  await refusing.close();
  clock.advance(30_000);
  expect(await sendBy(smtp.url)).toEqual([]);
  expect(smtp.received).toEqual([]);
  const problem = 'The mail server did not accept the message (status 550)';
  expect(await mailState()).toEqual({ accepted_at: null, problem });
});

test('a digest whose retries reach the quiet hours is sent neither in them nor after their end', async () => {
  await changeReminders(server, account, { quiet_from: '12:00', quiet_to: '14:00' });
  await check(server);
  const refusing = await openSmtpServer({ greeting: '421 busy' });
  expect(await sendBy(refusing.url)).not.toEqual([]);
  await refusing.close();
  for (const moment of ['2026-11-20T05:00:00Z', '2026-11-20T07:00:00Z']) {
    clock.advance(Date.parse(moment) - clock().getTime());
    await sendBy(smtp.url);
    expect(smtp.received).toEqual([]);
  }
});

test('an alert whose retries reach the quiet hours is sent at their end', async () => {
  // The quiet hours are from 5:00 to 16:00 UTC.
  await setTimeZone(server, account.userId, 'Etc/GMT+5');
  await changeReminders(server, account, { quiet_from: '00:00', quiet_to: '11:00' });
  await server.db.pool.query(
    'UPDATE plants SET auto_watering_enabled = true, auto_watering_locked = true',
  );
  clock.advance(Date.parse('2026-11-21T04:59:45Z') - clock().getTime());
  await check(server);
  const refusing = await openSmtpServer({ greeting: '421 busy' });
  expect(await sendBy(refusing.url)).not.toEqual([]);
  await refusing.close();
  clock.advance(30_000);
  expect(await sendBy(smtp.url)).toEqual([]);
  clock.advance(Date.parse('2026-11-21T15:59:59Z') - clock().getTime());
  expect(await sendBy(smtp.url)).toEqual([]);
  expect(smtp.received).toEqual([]);
  clock.advance(1_000);
  expect(await sendBy(smtp.url)).toEqual([]);
  const subjects = smtp.received.map(({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1]);
  expect(subjects).toEqual([expect.stringContaining('no longer watered automatically')]);
});

test('a digest that waits when the email address changes is sent to the new one', async () => {
  await check(server);
  const refusing = await openSmtpServer({ recipients: '450 mailbox busy' });
  await sendBy(refusing.url);
  await refusing.close();
  const payload = { email: 'rosa@new.example.org', password: account.password };
  await requestAs(server, account)('POST', '/auth/email', { payload });
  const [mail] = await server.mailsTo('rosa@new.example.org');
  await follow(server, mail);
  expect(await mailState()).toEqual({ accepted_at: null, problem: null });
  clock.advance(60_000);
  expect(await sendBy(smtp.url)).toEqual([]);
  const reminders = smtp.received.filter(({ source }) => source.includes('List-Unsubscribe'));
  expect(reminders.map(({ to }) => to)).toEqual(['rosa@new.example.org']);
});

test('a digest that is queued while the email address changes is sent to the new one', async () => {
  const { userId } = account;
  const address = 'rosa@new.example.org';
  const checked = await transaction(server.db, async (tx) => {
    await tx.$client.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [userId]);
    const checking = check(server);
    await untilWaiting(server);
    await changeEmail(tx, userId, address);
    await changeReminderEmail(tx, userId, address);
    return { checking };
  });
  expect(await checked.checking).toBe(true);
  expect(await sendBy(smtp.url)).toEqual([]);
  expect(smtp.received.map(({ to }) => to)).toEqual([address]);
});

test('an email about a registration is sent before a digest that was queued earlier', async () => {
  await check(server);
  clock.advance(60_000);
  await register(server);
  await sendBy(smtp.url);
  expect(smtp.received.map(({ to }) => to)).toEqual([person.email, account.email]);
});

test('the result of an email whose account has been deleted meanwhile is not stored', async () => {
  const record = mailRecorder(server);
  await server.db.pool.query('DELETE FROM users WHERE id = $1', [account.userId]);
  await record({ accountId: account.userId, createdAt: clock() }, null);
  const { rows } = await server.db.pool.query(
    'SELECT 1 FROM reminder_channels WHERE problem IS NULL',
  );
  expect(rows).toHaveLength(0);
});

test('a failure to store the result of an email is reported', async () => {
  await check(server);
  await server.db.pool.query('ALTER TABLE reminder_channels ADD CHECK (accepted_at IS NULL)');
  expect(await sendBy(smtp.url)).toEqual(['23514']);
});

test('an alert by email is reported again after a day unless the mail server has accepted it', async () => {
  await changeReminders(server, account, { digest_enabled: false });
  await server.db.pool.query(
    'UPDATE plants SET auto_watering_enabled = true, auto_watering_locked = true',
  );
  await check(server);
  expect(await sendBy('smtp://127.0.0.1:1')).toEqual(['ESOCKET']);
  clock.advance(24 * hourMs);
  expect(await check(server)).toBe(true);
  expect(await sendBy(smtp.url)).toEqual([]);
  expect(smtp.received).toHaveLength(1);
  clock.advance(24 * hourMs);
  expect(await check(server)).toBe(false);
});

oneMachineTest(
  'an alert that the mail server has accepted is not reported again, even if the email could not be deleted',
  async () => {
    await changeReminders(server, account, { digest_enabled: false });
    const { pool } = server.db;
    await pool.query('UPDATE plants SET auto_watering_enabled = true, auto_watering_locked = true');
    await check(server);
    await pool.query(`CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'kept'; END $$;
    CREATE TRIGGER keep BEFORE DELETE ON mail_outbox FOR EACH ROW EXECUTE FUNCTION keep()`);
    expect(await sendBy(smtp.url)).toHaveLength(1);
    await pool.query('DROP TRIGGER keep ON mail_outbox');
    expect(smtp.received).toHaveLength(1);
    clock.advance(24 * hourMs);
    expect(await check(server)).toBe(false);
  },
);
