import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';

const rowParams = v.object({ id: v.pipe(v.string(), v.uuid()) });

/** The `:id` of a request's path; null when it is one that no row can have. */
export function rowIdOf(request: FastifyRequest): string | null {
  const params = v.safeParse(rowParams, request.params);
  return params.success ? params.output.id : null;
}
