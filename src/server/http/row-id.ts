import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';

const rowParams = v.object({ id: v.string() });

/** Check ids before they reach a query: PostgreSQL rejects the whole statement for a malformed UUID. */
export function isUuid(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
}

/** The `:id` of a request's path, or null if it is not a UUID and so cannot match any row. */
export function rowIdOf(request: FastifyRequest): string | null {
  const params = v.safeParse(rowParams, request.params);
  return params.success && isUuid(params.output.id) ? params.output.id : null;
}
