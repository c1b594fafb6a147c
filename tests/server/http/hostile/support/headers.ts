import type { Random } from '../../../../support/seeded.ts';
import { formType } from './forms.ts';

export type Header = readonly [name: string, value: string];

export interface Tokens {
  own: string;
  /** The token of the account that must not be harmed; used only as a pattern for forgeries. */
  victims: string;
}

const contentTypes = ['text/plain', '', 'application/json; charset=utf-16', 'APPLICATION/JSON']
  .concat(['application/jsonx', 'application/vnd.api+json', 'multipart/form-data; boundary=x'])
  .concat(['application/x-www-form-urlencoded', 'application/json, text/html', '\xff/\xff', ';']);

const etags = [
  '*',
  '"v1"',
  'W/"v1"',
  '"v1.x"',
  ',,,',
  '"',
  '"v1", "v2"',
  '"v9999999999999999999"',
  '\xff',
  '',
].concat([`"${'x'.repeat(6_000)}"`, 'v1', '"\t"']);

const keys = [
  '',
  '""',
  '"',
  'k',
  '"k"',
  'x'.repeat(200),
  'x'.repeat(201),
  '"'.repeat(50),
  '\xe4\xf6',
].concat(["'; DROP TABLE idempotency_keys; --", ' ', '\\', '{}']);

const others: readonly Header[] = [
  ['X-Forwarded-For', `${'1.2.3.4, '.repeat(200)}evil`],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-Proto', 'javascript'],
  ['Forwarded', 'for="_x";proto=\xff'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Origin', 'null'],
  ['Origin', 'https://evil.example\xff'],
  ['Access-Control-Request-Method', 'BREW'],
  ['Accept-Encoding', 'gzip;q=x, br;q=1e309, *;q=-1'],
  ['Accept-Encoding', 'br'],
  ['Accept', '\xff/*;q=9'],
  ['Accept-Version', '>=0.0.0 || \xff'],
  ['Range', 'bytes=0-0,-1,5-2'],
  ['Cookie', `${'a=b; '.repeat(500)}__proto__=1`],
  ['Expect', '100-continue'],
  ['Expect', 'the unexpected'],
  ['Upgrade', 'websocket'],
  ['Connection', 'upgrade'],
  ['Connection', 'close, \xff'],
  ['If-Modified-Since', '\xff 9999'],
  ['Content-Encoding', 'br'],
  ['__proto__', 'x'],
  ['Retry-After', '-1'],
  ['Date', '0000'],
];

export function plainHeaders({ own }: Tokens, isForm: boolean): Header[] {
  return [
    ['Authorization', `Bearer ${own}`],
    ['Content-Type', isForm ? formType : 'application/json'],
  ];
}

export function hostileHeaders(tokens: Tokens, random: Random): Header[] {
  const headers: Header[] = [];
  const authorization = hostileAuthorization(tokens, random);
  if (authorization !== null) headers.push(['Authorization', authorization]);
  headers.push([
    'Content-Type',
    random.chance(0.85) ? 'application/json' : random.pick(contentTypes),
  ]);
  if (random.chance(0.3)) headers.push(['Idempotency-Key', random.pick(keys)]);
  if (random.chance(0.2)) headers.push(['If-Match', random.pick(etags)]);
  if (random.chance(0.2)) headers.push(['If-None-Match', random.pick(etags)]);
  if (random.chance(0.25)) headers.push(random.pick(others));
  // Node joins some repeated headers, drops others and rejects a few.
  if (random.chance(0.1)) headers.push(random.pick(headers));
  return headers;
}

function hostileAuthorization(tokens: Tokens, random: Random): string | null {
  if (random.chance(0.5)) return `Bearer ${tokens.own}`;
  return random.pick([null, null, ...malformed(tokens.own), ...forgeries(tokens.victims)]);
}

function malformed(token: string): string[] {
  return [
    '',
    'Bearer',
    'Bearer ',
    `bearer ${token}`,
    `Basic ${Buffer.from('rosa:secret').toString('base64')}`,
    `Bearer ${token.slice(0, -3)}`,
    `Bearer ${token}.x`,
    `Bearer ${token} ${token}`,
    `Bearer ${'x'.repeat(9_000)}`,
    'Bearer ..',
    'Bearer e30.e30.e30',
    'Bearer \xff\xfe.\xff.\xff',
    `Bearer ${encode({ alg: 'HS256' })}.${encode({ sub: { $ne: 1 }, sid: [] })}.x`,
  ];
}

/** The victim's real claims with an invalid signature. */
function forgeries(token: string): string[] {
  const [head = '', claims = '', signature = ''] = token.split('.');
  return [
    `Bearer ${head}.${claims}.`,
    `Bearer ${head}.${claims}.${signature.split('').reverse().join('')}`,
    `Bearer ${encode({ alg: 'none', typ: 'JWT' })}.${claims}.`,
    `Bearer ${encode({ alg: 'HS512', typ: 'JWT' })}.${claims}.${signature}`,
    `Bearer ${encode({ alg: 'HS256', typ: 'JWT', kid: '../../dev/null' })}.${claims}.${signature}`,
  ];
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
