import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider } from 'fastify';
import type * as v from 'valibot';

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
