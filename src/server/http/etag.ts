import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';

/** The ETag of a response without a version: a hash of its content. */
export function contentEtag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}

/** The ETag of a plant: its version. Edits and changes of the journal increment it; readings do not. */
export function versionEtag(version: number): string {
  return `"v${version}"`;
}

/** Sends the body with its ETag, or 304 without a body if the request's If-None-Match names that ETag. */
export function sendUnlessMatched(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
  etag: string,
  {
    type = 'application/json; charset=utf-8',
    cacheControl = 'private, no-cache',
  }: { type?: string; cacheControl?: string } = {},
): FastifyReply {
  reply.header(headers.etag, etag).header('cache-control', cacheControl);
  if (etagMatches(request.headers[headers.ifNoneMatch], etag)) return reply.status(304).send();
  return reply.type(type).send(body);
}

/** Whether an If-Match or If-None-Match list names this ETag or `*`. W/ is ignored because proxies may add it. */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  // Not split at each comma: a quoted ETag may contain commas, and a * between two of them is a part of the ETag.
  const listed = header.match(/(?:[^,"]|"[^"]*")+/g) ?? [];
  const names = listed.map((name) => name.trim().replace(/^W\//, ''));
  return names.includes(etag) || names.includes('*');
}
