import { uuidv7 } from 'uuidv7';
import type { PlantRecord } from '#domain/plant/plant.ts';
import type { Hasher } from '#server/accounts/password.ts';
import { ensureAccount } from '#server/accounts/sign-in-names.ts';
import type { Database } from '#server/database/database.ts';
import { transaction } from '#server/database/transaction.ts';
import type { App } from '#server/http/app-deps.ts';
import type { Email } from '#server/mail/email.ts';
import { type AppOptions, createApp } from '#server/start/app.ts';
import { openTestDatabase } from '../database/database.ts';
import { plantPayload } from '../factories.ts';
import { type TestClock, testClock } from './clock.ts';
import { memoryMail } from './memory-mail.ts';
import { sendDueEmails } from './send-due-emails.ts';

/** The real server on its own database, with a clock that the test advances and fast password hashing. */
export interface TestServer {
  app: App;
  db: Database;
  clock: TestClock;
  /** A verified account, signed in for 30 days. */
  addAccount: (email?: string) => Promise<Account>;
  /** Sends the queued emails and returns all that were sent to this email address, oldest first. */
  mailsTo: (email: string) => Promise<Email[]>;
  close: () => Promise<void>;
}

export interface Account {
  userId: string;
  email: string;
  password: string;
  token: string;
}

export const cheapHasher: Hasher = {
  hash: async (password) => `plain:${password}`,
  verify: async (hashed, password) => hashed === `plain:${password}`,
};

export const testSecret = 'a secret that is long enough for tests';
export const publicUrl = 'https://plants.example.org';

export async function openTestServer(
  clock: TestClock = testClock(),
  changes: Partial<AppOptions> = {},
): Promise<TestServer> {
  const db = await openTestDatabase();
  const transport = memoryMail();
  const app = await openTestApp({ db, clock, emailTransport: transport, ...changes });
  let accounts = 0;
  return {
    app,
    db,
    clock,
    addAccount: async (email = `gardener${++accounts}@example.org`) => {
      const account = { userId: await addUser(db, clock, email), email, password: 'secret-garden' };
      return { ...account, token: await login(app, email, account.password, true) };
    },
    mailsTo: async (email) => {
      await sendDueEmails({ db, clock, transport, onFailure: failLoudly });
      return transport.sent.filter(({ to }) => to === email);
    },
    close: async () => {
      await app.close();
      await db.close();
    },
  };
}

/** The app of one server, run in the test's process; several may share a database. No rate limits by default. */
export function openTestApp(
  options: Pick<AppOptions, 'db' | 'clock'> & Partial<AppOptions>,
): Promise<App> {
  return createApp({
    hasher: cheapHasher,
    jwtSecret: testSecret,
    clientDir: null,
    publicUrl: () => publicUrl,
    emailQueued: () => undefined,
    emailTransport: memoryMail(),
    authRateLimit: 0,
    trustProxy: 0,
    corsOrigins: [],
    pause: async () => undefined,
    ...options,
  });
}

function failLoudly(code: string): never {
  throw new Error(`an email could not be sent: ${code}`);
}

export async function addUser(
  db: Database,
  clock: TestClock,
  email: string,
  changes: Partial<Parameters<typeof ensureAccount>[1]> = {},
): Promise<string> {
  const person = {
    id: uuidv7(),
    email,
    username: email,
    passwordHash: await cheapHasher.hash('secret-garden'),
    isVerified: true,
    createdAt: clock(),
    ...changes,
  };
  const { account } = await transaction(db, (tx) => ensureAccount(tx, person));
  return account.id;
}

export async function login(app: App, email: string, password: string, rememberMe = false) {
  const response = await app.inject({
    method: 'POST',
    url: '/auth/login',
    payload: { username_or_email: email, password, rememberMe },
  });
  return response.json<{ access_token: string }>().access_token;
}

export function bearer(account: Pick<Account, 'token'>): { authorization: string } {
  return { authorization: `Bearer ${account.token}` };
}

export async function addPlant(
  { app }: Pick<TestServer, 'app'>,
  account: Account,
  changes: Parameters<typeof plantPayload>[0] = {},
): Promise<PlantRecord & { id: string }> {
  const response = await app.inject({
    method: 'POST',
    url: '/api/plants',
    headers: bearer(account),
    payload: plantPayload(changes),
  });
  if (response.statusCode !== 201) throw new Error(`no plant: ${response.body}`);
  return response.json();
}
