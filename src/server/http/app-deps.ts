import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider } from 'fastify';
import type * as v from 'valibot';
import type { Hasher } from '../accounts/password.ts';
import type { Database } from '../database/database.ts';
import type { PhotoLimits } from '../journal/photos/upload.ts';
import type { Announcer } from '../live/announcer.ts';
import type { EmailTransport } from '../mail/email.ts';
import type { ReminderOptions } from '../reminders/options.ts';

/** Gives a route's body, query and params the output types of its contract schemas. */
export interface ContractTypes extends FastifyTypeProvider {
  validator: this['schema'] extends v.GenericSchema ? v.InferOutput<this['schema']> : unknown;
}

/** The Fastify instance that routes are registered on. */
export type App = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ContractTypes
>;

/** The server's only source of time, never SQL's now(): tests can set it, and a process never mixes two clocks. */
export type Clock = () => Date;

/** Everything that routes need from outside; tests replace parts of it. */
export interface AppDeps {
  db: Database;
  clock: Clock;
  hasher: Hasher;
  /**
   * A hash that no password matches, for accounts whose password must not work. For an unknown account the password is
   * checked against it, so that the response takes as long as for a known one.
   */
  unusablePasswordHash: () => Promise<string>;
  /** Attempts per account and IP address within 15 minutes; 0 means no limit. */
  authRateLimit: number;
  /** Waits in real time, for responses that must not reveal how long their work took. */
  pause: (ms: number) => Promise<unknown>;
  /** Base URL of links in emails, without a trailing slash. Known once the server listens. */
  publicUrl: () => string;
  /** Call it after the transaction that queued an email has committed. */
  emailQueued: () => void;
  /** Only for emails whose result the caller waits for. All other emails are queued. */
  emailTransport: EmailTransport;
  announcer: Announcer;
  photoLimits: PhotoLimits;
  reminders: ReminderOptions;
}
