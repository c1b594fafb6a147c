import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEmailTransport } from '#server/mail/email-transport.ts';
import { readConfig } from '#server/start/config.ts';
import { testClock } from '../../support/server/clock.ts';
import { readEml } from '../../support/server/read-eml.ts';
import { follow, person, register, signIn } from '../../support/server/registration.ts';
import { requestAs } from '../../support/server/request.ts';
import { sendDueEmails } from '../../support/server/send-due-emails.ts';
import { openTestServer } from '../../support/server/server.ts';
import { openSmtpServer, type SmtpTestServer } from '../../support/server/smtp-server.ts';

const message = {
  id: '01980000-0000-7000-8000-000000000001',
  to: 'rosa@example.org',
  subject: 'Überraschung',
  text: 'Line one — with a dash.\n\nhttps://plants.example.org/x?token=abc=def\n',
  html: '<p>Line one — with a dash.</p>',
  link: 'https://plants.example.org/x?token=abc=def',
};

let dataDir: string;
let smtp: SmtpTestServer | null = null;
beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-mail-'));
});
afterEach(async () => {
  fs.rmSync(dataDir, { recursive: true, force: true });
  await smtp?.close();
  smtp = null;
});

function open(env: Record<string, string> = {}) {
  const printed: string[] = [];
  const config = readConfig({ DATA_DIR: dataDir, ...env });
  const opened = openEmailTransport(config, testClock(), (line) => printed.push(line));
  return { ...opened, printed };
}

test('without a mail server each email of a local server becomes a file and its link is printed', async () => {
  const { transport, description, printed } = open();
  const folder = path.join(dataDir, 'mail');
  expect(description).toBe(`${folder}, one .eml file each`);
  await transport.send(message);
  await transport.send(message);
  expect(printed).toEqual(Array(2).fill(`Mail "Überraschung": ${message.link}`));

  const names = fs.readdirSync(folder);
  expect(new Set(names).size).toBe(2);
  for (const name of names) {
    expect(name).toMatch(/^2026-11-20T08-00-00-000Z-[0-9a-f]{8}\.eml$/);
    expect(fs.statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
    const eml = readEml(fs.readFileSync(path.join(folder, name), 'utf8'));
    expect(eml.headers).toContain('To: rosa@example.org');
    expect(eml.headers).toContain('From: Sprig <no-reply@localhost>');
    expect(eml.text).toBe(message.text);
    expect(eml.html).toContain(message.html);
  }
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
});

test.each([
  { PUBLIC_URL: 'https://plants.example.org' },
  { TRUST_PROXY: '1' },
  { HOST: '0.0.0.0' },
])('with %j the file of each email is printed, and not the token in its link', async (env) => {
  const { transport, printed } = open(env);
  await transport.send(message);
  const folder = path.join(dataDir, 'mail');
  const [name = ''] = fs.readdirSync(folder);
  expect(printed).toEqual([`Mail "Überraschung": ${path.join(folder, name)}`]);
  expect(printed.join()).not.toContain('token=');
  expect(readEml(fs.readFileSync(path.join(folder, name), 'utf8')).text).toBe(message.text);
});

test('without a mail server the settings and a test reminder say that emails are written to files', async () => {
  const server = await openTestServer(testClock(), { emailTransport: open().transport });
  const request = requestAs(server, await server.addAccount());
  expect((await request('GET', '/api/reminders')).json()).toMatchObject({ mail_to_files: true });
  const payload = { channel: 'mail' };
  const response = await request('POST', '/api/reminders/test', { payload });
  expect([response.statusCode, response.json()]).toEqual([
    200,
    {
      message: 'Sent',
      warning: 'The email was written to a file on the server, because it has no mail server',
    },
  ]);
  expect(fs.readdirSync(path.join(dataDir, 'mail'))).toHaveLength(1);
  await server.close();
});

test('the link in the file of a registration email verifies the account', async () => {
  const server = await openTestServer();
  const { db, clock } = server;
  const { transport, printed } = open();
  await register(server);
  const failures: string[] = [];
  await sendDueEmails({ db, clock, transport, onFailure: (code) => failures.push(code) });
  expect(failures).toEqual([]);

  const [name = ''] = fs.readdirSync(path.join(dataDir, 'mail'));
  const { text, html } = readEml(fs.readFileSync(path.join(dataDir, 'mail', name), 'utf8'));
  const link = /^https:\S+$/m.exec(text)?.[0] ?? '';
  expect(html).toContain(`<a href="${link}">Verify email address</a>`);
  expect(printed).toEqual([`Mail "Verify your email address": ${link}`]);
  expect(printed.join()).not.toContain(person.email);
  expect(await follow(server, { ...message, link })).toBe('302 /signin?verified=1');
  expect((await signIn(server)).statusCode).toBe(200);
  await server.close();
});

test('sending fails if the path of the mail folder is a file', async () => {
  const { transport, printed } = open();
  fs.writeFileSync(path.join(dataDir, 'mail'), 'in the way');
  await expect(transport.send(message)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(printed).toEqual([]);
});

test('with a mail server emails are sent through it', async () => {
  smtp = await openSmtpServer();
  const { transport, description, printed } = open({
    SMTP_URL: smtp.url,
    PUBLIC_URL: 'https://plants.example.org/',
  });
  expect(description).toBe(`sent by ${smtp.url.replace('smtp://', '')}`);
  await transport.send(message);
  expect(smtp.received).toMatchObject([{ from: 'no-reply@plants.example.org', to: message.to }]);
  expect(readEml(smtp.received[0]?.source ?? '')).toMatchObject({ text: message.text });
  expect(printed).toEqual([]);
  expect(fs.readdirSync(dataDir)).toEqual([]);
});

test('an email that is sent again has the same Message-ID', async () => {
  smtp = await openSmtpServer();
  const { transport } = open({ SMTP_URL: smtp.url, MAIL_FROM: 'sprig@example.org' });
  await transport.send(message);
  await transport.send(message);
  for (const { source } of smtp.received) {
    expect(readEml(source).headers).toContain(`Message-ID: <${message.id}@example.org>`);
  }
  expect(smtp.received).toHaveLength(2);
});

test('sending fails if the mail server rejects the email', async () => {
  smtp = await openSmtpServer({ recipients: '550 no such person' });
  const { transport } = open({ SMTP_URL: smtp.url });
  await expect(transport.send(message)).rejects.toMatchObject({
    code: 'EENVELOPE',
    responseCode: 550,
    command: 'RCPT TO',
    response: '550 no such person',
  });
});

test('sending fails if the greeting of the mail server is an error', async () => {
  smtp = await openSmtpServer({ greeting: '554 not today' });
  const { transport } = open({ SMTP_URL: smtp.url });
  await expect(transport.send(message)).rejects.toMatchObject({ responseCode: 554 });
});

test('a registration email arrives as text and HTML with the same working link', async () => {
  smtp = await openSmtpServer();
  const server = await openTestServer();
  const { db, clock } = server;
  await register(server);
  const { transport } = open({ SMTP_URL: smtp.url });
  await sendDueEmails({
    db,
    clock,
    transport,
    onFailure: (code) => expect(code).toBe('no failure'),
  });

  const [arrived, ...others] = smtp.received;
  expect(others).toEqual([]);
  expect(arrived?.to).toBe(person.email);
  const { headers, text, html } = readEml(arrived?.source ?? '');
  expect(headers).toMatch(/^Content-Type: multipart\/alternative;/m);
  expect(headers).toMatch(/^Subject: Verify your email address\r$/m);
  const link = /^https:\S+$/m.exec(text)?.[0] ?? '';
  expect(html).toContain(`<a href="${link}">Verify email address</a>`);
  expect(await follow(server, { ...message, link })).toBe('302 /signin?verified=1');
  await server.close();
});

const account = { user: 'rose@example.org', password: 'p@ss:w/ord %' };

test('authenticates with the user and password of SMTP_URL', async () => {
  smtp = await openSmtpServer({ account });
  await open({ SMTP_URL: smtp.url }).transport.send(message);
  expect(smtp.received).toMatchObject([{ user: account.user, from: account.user, to: message.to }]);
});

test.each<[string, (url: string) => string]>([
  ['a wrong password', (url) => url.replace(/:[^:@]*@/, ':wrong@')],
  ['no account', (url) => url.replace(/\/\/.*@/, '//')],
])('rejects and sends nothing with %s', async (_, change) => {
  smtp = await openSmtpServer({ account });
  const { transport } = open({ SMTP_URL: change(smtp.url) });
  await expect(transport.send(message)).rejects.toThrow();
  expect(smtp.received).toEqual([]);
});

test('sending to a mail server that never responds can be aborted', async () => {
  smtp = await openSmtpServer({ greeting: '' });
  const { transport } = open({ SMTP_URL: smtp.url });
  await expect(transport.send(message, AbortSignal.timeout(50))).rejects.toMatchObject({
    code: 'EABORT',
  });
});

test.each([
  ['a,b@example.org', ['"a,b"@example.org']],
  ['victim@example.org,rosa@example.org', []],
  ['<x>rosa@example.org', []],
])('sends to at most one recipient, whatever the address contains: %s', async (to, envelope) => {
  smtp = await openSmtpServer();
  const { transport } = open({ SMTP_URL: smtp.url });
  // The server may reject the recipient as invalid; then the email is sent to nobody.
  await transport.send({ ...message, to }).catch((error) => expect(error.responseCode).toBe(501));
  expect(smtp.received.map((received) => received.to)).toEqual(envelope);
});

test.each([
  [{ MAIL_FROM: 'garden@example.org' }, 'garden@example.org'],
  [{ PUBLIC_URL: 'https://plants.example.org:8443' }, 'no-reply@plants.example.org'],
])('derives the sender from %j', async (env, from) => {
  smtp = await openSmtpServer();
  await open({ ...env, SMTP_URL: smtp.url }).transport.send(message);
  expect(smtp.received).toMatchObject([{ from }]);
});

test('uses the SMTP user as the sender if it is an address', async () => {
  smtp = await openSmtpServer();
  await open({ SMTP_URL: smtp.url.replace('//', '//rose%40example.org@') }).transport.send(message);
  expect(smtp.received).toMatchObject([{ from: 'rose@example.org' }]);
});

test('the description of the transport contains the mail server and never its password', () => {
  const { description } = open({ SMTP_URL: 'smtps://rose:secret@mail.example.org:465' });
  expect(description).toBe('sent by mail.example.org:465');
});

test.each([
  ['SMTP_URL', 'http://rose:secret@mail.example.org'],
  ['SMTP_URL', 'smtp://rose:100%secret@mail.example.org'],
  ['SMTP_URL', 'smtp://'],
  ['MAIL_FROM', 'secret'],
  ['PUBLIC_URL', 'plants.example.org'],
  ['PUBLIC_URL', 'https://plants.example.org/?secret'],
  ['PUBLIC_URL', 'https://rose:secret@plants.example.org'],
])('rejects %s=%s without repeating the value', (name, value) => {
  const refused = () => readConfig({ [name]: value });
  expect(refused).toThrow(new RegExp(`^${name} must be`));
  expect(refused).not.toThrow(/secret/);
});
