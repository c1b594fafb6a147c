import type { Random } from '../../../../support/seeded.ts';

const literal = (text: string) => `@@${text}@@`;

/** JSON in which placeholders are replaced by text that JSON.stringify cannot write. */
export function toHostileJson(value: unknown): string {
  return JSON.stringify(value).replace(/"@@(.*?)@@"/g, '$1');
}

const numbers = [
  '1e309',
  '-1e309',
  '-0',
  '5e-324',
  '1e21',
  '9007199254740993',
  '1.7e308',
  '-1',
  '0',
]
  .concat(['0.1', '100.0000001', '2147483648', '1E+2', '99999999999999999999'])
  .map(literal);

const moments = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00.000Z',
  '-000001-01-01T00:00:00Z',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:59.999Z',
  '4713-01-01T00:00:00Z',
  '2026-02-29T12:00:00Z',
  '2026-02-30T12:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T08:00:60Z',
  '2026-11-20T08:00:00+99:99',
  '2026-11-20T08:00:00.123456789Z',
  '2026-11-20',
  '1970-01-01T00:00:00Z',
  'infinity',
  'now',
];

const texts = [
  '',
  ' ',
  'NaN',
  'Infinity',
  '1e309',
  '-0',
  '0x10',
  'null',
  'a\0b',
  '\0',
  '\ud800',
  'x\udfff',
  '\ufeff',
  '\u202eevil\u202c',
  'Z\u0351\u0357'.repeat(200),
  '👩🏽‍🌾'.repeat(60),
  '🌿'.repeat(300),
  'x'.repeat(201),
  'x'.repeat(20_000),
  "'; DROP TABLE plants; --",
  "' OR 1=1 --",
  '$1',
  '%s%n%d',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  'a@b\r\nBcc: c@d',
  '{"$gt":""}',
  '__proto__',
  'constructor',
  '\\x00\\',
  '\\u0000',
];

const shapes: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  ['a', 'b'],
  { length: 1 },
  { toString: 'x', valueOf: 1 },
  { $ne: null },
  Array.from({ length: 300 }, () => 0),
];

export function hostileValue(random: Random): unknown {
  const kind = random.pick(['number', 'moment', 'text', 'text', 'shape'] as const);
  if (kind === 'number') return random.pick(numbers);
  if (kind === 'moment') return random.pick(moments);
  return kind === 'text' ? random.pick(texts) : random.pick(shapes);
}

/** Usually a value of the expected type, because a wrong type is rejected before other checks run. */
function hostileInsteadOf(valid: unknown, random: Random): unknown {
  if (random.chance(0.3)) return hostileValue(random);
  if (typeof valid === 'number') return random.pick(numbers);
  return typeof valid === 'string' || valid === null ? hostileText(random) : hostileValue(random);
}

/** Values that often break databases, parsers and limits. */
const sharp = ['a\0b', '\ud800', '', ' ', 'x'.repeat(201), 'x'.repeat(20_001)];

export function hostileText(random: Random): string {
  if (random.chance(0.5)) return random.pick(sharp);
  return random.chance(0.3) ? random.pick(moments) : random.pick(texts);
}

const trapKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'id',
  'user_id',
  'version',
].concat(['is_verified', '', '\0', 'hasOwnProperty', 'x'.repeat(5_000), 'health_status']);

/** A valid payload after one to three random changes, most of which make it invalid. */
export function mutate(valid: Record<string, unknown>, random: Random): string {
  const entries = new Map<string, unknown>(Object.entries(valid));
  for (let left = random.pick([1, 1, 1, 2, 3]); left > 0; left -= 1) {
    const key = random.pick([...Object.keys(valid), 'x']);
    const how = random.chance(0.7) ? 'replace' : random.pick(['remove', 'add', 'wrap'] as const);
    if (how === 'replace') entries.set(key, hostileInsteadOf(valid[key], random));
    if (how === 'remove') entries.delete(key);
    if (how === 'add') entries.set(random.pick(trapKeys), hostileValue(random));
    if (how === 'wrap') entries.set(key, [entries.get(key)]);
  }
  const members = [...entries].map(
    ([key, value]) => `${JSON.stringify(key)}:${toHostileJson(value ?? null)}`,
  );
  // JSON allows a key twice; readers differ in which one counts.
  if (random.chance(0.1)) members.push(random.pick(members.length > 0 ? members : ['"a":1']));
  return `{${members.join(',')}}`;
}
