import type { Random } from '../../../../support/seeded.ts';
import type { AppRoute } from './app-routes.ts';
import { hostileBody, plainBody } from './bodies.ts';
import { acceptsForm, hostileForm, photoQuery, plainForm } from './forms.ts';
import { type Header, hostileHeaders, plainHeaders, type Tokens } from './headers.ts';
import type { RawRequest } from './raw-http.ts';
import { hostileTarget, plainTarget } from './targets.ts';

export interface HostileRequest extends RawRequest {
  route: AppRoute;
  /** It is not valid HTTP, so the server may also close the connection. */
  isLawless: boolean;
}

export interface Surroundings {
  tokens: Tokens;
  ownPlantId: string;
  /** Plant ids of all accounts, for ids in paths. */
  plantIds: readonly string[];
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Usually only one thing is invalid, because the first error hides later checks. */
const attacks = ['body', 'body', 'body', 'target', 'target', 'headers', 'method', 'http', 'all'];
type Attack = (typeof attacks)[number];

/** A random malformed or malicious request to a route. */
export function hostileRequest(
  route: AppRoute,
  { tokens, ownPlantId, plantIds }: Surroundings,
  random: Random,
): HostileRequest {
  const attack = random.pick(attacks);
  const on = (part: Attack) => attack === part || attack === 'all';
  const method = on('method') ? random.pick(methods) : route.method;
  const target = on('target')
    ? hostileTarget(route.path, plantIds, random)
    : plainTarget(route.path, plantIds, random) +
      (acceptsForm(route) ? photoQuery(ownPlantId) : '');
  const hasBody = !['GET', 'HEAD'].includes(method) || (on('body') && random.chance(0.1));
  const isForm = acceptsForm(route);
  const body = on('body')
    ? isForm
      ? hostileForm(random)
      : hostileBody(route.path, ownPlantId, random)
    : { bytes: isForm ? plainForm() : plainBody(route.path, ownPlantId) };
  const headers: Header[] = [
    ['Host', 'plants.example.org'],
    ...(on('headers') ? hostileHeaders(tokens, random) : plainHeaders(tokens, isForm)),
    ...(hasBody && body.encoding ? [['Content-Encoding', body.encoding] as const] : []),
    ...(hasBody ? [['Content-Length', String(body.bytes.length)] as const] : []),
  ];
  const parts = { method, target, version: 'HTTP/1.1', headers, body: body.bytes };
  if (!hasBody) parts.body = Buffer.alloc(0);
  if (attack !== 'http') {
    return { route, method, bytes: written(parts), hangsUp: false, isLawless: false };
  }
  const { hangsUp = false, ...broken } = random.pick(waysToBreakHttp)(parts, random);
  const bytes = 'bytes' in broken ? broken.bytes : written({ ...parts, ...broken });
  return { route, method, bytes, hangsUp, isLawless: true };
}

interface Parts {
  method: string;
  target: string;
  version: string;
  headers: readonly Header[];
  body: Buffer;
}

function written({ method, target, version, headers, body }: Parts): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${target} ${version}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

type Breaking = (
  parts: Parts,
  random: Random,
) => (Partial<Parts> | { bytes: Buffer }) & { hangsUp?: boolean };

const withHeader =
  (...added: Header[]): Breaking =>
  ({ headers }) => ({ headers: [...headers, ...added], hangsUp: true });

const waysToBreakHttp: readonly Breaking[] = [
  () => ({ version: 'HTTP/9.9' }),
  () => ({ version: '' }),
  () => ({ method: 'BREW' }),
  () => ({ method: 'CONNECT', target: 'evil.example:443' }),
  () => ({ target: '/api/plants with a blank' }),
  ({ headers }) => ({ headers: headers.filter(([name]) => name !== 'Host'), hangsUp: true }),
  withHeader(['Host', 'another.example.org']),
  withHeader(['Content-Length', '7']),
  withHeader(['Content-Length', '-1']),
  withHeader(['Content-Length', '99999999999999999999']),
  withHeader(['Transfer-Encoding', 'chunked']),
  withHeader(['Transfer-Encoding', 'gzip, chunked']),
  withHeader(['Transfer-Encoding', 'chunked, identity']),
  withHeader(['X-Long', 'x'.repeat(20_000)]),
  withHeader(['bad name', 'x']),
  withHeader(['X', 'a\r\n folded']),
  withHeader(['X', '\0']),
  ({ headers }) => ({ headers: [...headers, ...Array<Header>(3_000).fill(['A', 'b'])] }),
  (parts, random) => ({
    bytes: written(parts).subarray(0, random.below(400)),
    hangsUp: true,
  }),
  (parts) => ({
    bytes: Buffer.from(written(parts).toString('latin1').replaceAll('\r\n', '\n')),
    hangsUp: true,
  }),
  (_, random) => ({
    bytes: Buffer.from(Array.from({ length: 300 }, () => random.below(256))),
    hangsUp: true,
  }),
  () => ({
    bytes: Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'latin1'),
    hangsUp: true,
  }),
  () => ({ bytes: Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n') }),
];
