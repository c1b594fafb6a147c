import { createHash } from 'node:crypto';

/** Properties of a schema that do not affect the wire: error messages and internals of the library. */
const notOnTheWire = new Set(['message', 'expects', 'reference', 'async']);

/** The part of a schema or constant on which client and server must agree, as plain data in a fixed order. */
export function wireShape(part: unknown): unknown {
  if (part instanceof RegExp) return String(part);
  if (Array.isArray(part)) return part.map(wireShape);
  if (typeof part === 'function') return 'function';
  if (typeof part !== 'object' || part === null) return part;
  // A contract field may be named `message` too; only the library's own objects have a string as `kind`.
  const isMade = 'kind' in part && typeof part.kind === 'string';
  const onTheWire = Object.entries(part).filter(
    ([name]) => !name.startsWith('~') && !(isMade && notOnTheWire.has(name)),
  );
  const inOrder = onTheWire.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(inOrder.map(([name, value]) => [name, wireShape(value)]));
}

export function hashOf(part: unknown): string {
  const text = JSON.stringify(wireShape(part));
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
