import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';

/** A list's ETag is its content. */
export function contentEtag(json: string): string {
  return `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"`;
}

/** A plant's ETag is its version: raised by edits and waterings, never by readings. */
export function versionEtag(version: number): string {
  return `"v${version}"`;
}

/** Answers 304 without a body when the client's copy is this one. */
export function sendUnlessKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
  etag: string,
): FastifyReply {
  reply.header(headers.etag, etag).header('cache-control', 'private, no-cache');
  if (matches(request.headers[headers.ifNoneMatch], etag)) return reply.status(304).send();
  return reply.type('application/json; charset=utf-8').send(json);
}

/** Whether an If-Match / If-None-Match list names this ETag; a proxy may have weakened it. */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const names = header.split(',').map((name) => name.trim().replace(/^W\//, ''));
  return names.includes(etag) || names.includes('*');
}
