import type { FastifyInstance, FastifyTypeProvider } from 'fastify';
import * as v from 'valibot';
import { ApiError } from './api-error.ts';

/** Types a route's body, query and params by the contract's schemas. */
export interface ContractTypes extends FastifyTypeProvider {
  validator: this['schema'] extends v.GenericSchema ? v.InferOutput<this['schema']> : unknown;
}

export type App = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  import('fastify').FastifyBaseLogger,
  ContractTypes
>;

const locationOf: Record<string, string> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
};

/** Lets routes declare contract schemas; a mismatch becomes a 422 that names every wrong place. */
export function validateByContract(app: FastifyInstance): void {
  app.setValidatorCompiler<v.GenericSchema>(({ schema, httpPart }) => (data) => {
    const parsed = v.safeParse(schema, data ?? {});
    if (parsed.success) return { value: parsed.output };
    return {
      error: invalidInput(locationOf[httpPart ?? ''] ?? 'body', parsed.issues),
    };
  });
}

function invalidInput(location: string, issues: readonly v.BaseIssue<unknown>[]): ApiError {
  const detail = issues.map((issue) => ({
    loc: [location, ...(issue.path ?? []).map((item) => String(item.key))],
    msg: issue.message,
  }));
  const message = detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join(', ');
  return new ApiError(422, 'invalid', message, { detail });
}
