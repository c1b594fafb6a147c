import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';

/** The ETag of a response without a version: a hash of its content. */
export function contentEtag(content: string | Buffer): string {
  return `"${hashOf(content)}"`;
}

/** The version of a plant as an ETag. Edits and changes of the journal increment it; readings do not. */
export function versionEtag(version: number): string {
  return `"v${version}"`;
}

/** The ETag of a plant that is read. The hash is needed because readings and time change a record without its version. */
export function versionedContentEtag(version: number, content: string): string {
  return `"v${version}.${hashOf(content)}"`;
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 27);
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

/** Whether an If-None-Match list names this ETag or `*`. */
export function etagMatches(header: string | undefined, etag: string): boolean {
  const listed = etagsIn(header);
  return listed.includes(etag) || listed.includes('*');
}

/** Whether an If-Match list names an ETag of this version, with or without a hash, or `*`. */
export function versionMatches(header: string, version: number): boolean {
  const versions = etagsIn(header).map((etag) => etag.replace(/^("v\d+)\.[\w-]+"$/, '$1"'));
  return versions.includes(versionEtag(version)) || versions.includes('*');
}

/** The ETags that a header lists. W/ is left out because proxies may add it. */
function etagsIn(header = ''): string[] {
  // Not split at each comma: a quoted ETag may contain commas, and a * between two of them is a part of the ETag.
  const listed = header.match(/(?:[^,"]|"[^"]*")+/g) ?? [];
  return listed.map((name) => name.trim().replace(/^W\//, ''));
}
