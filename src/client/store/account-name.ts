import { normalizeIdentifier } from '#domain/account.ts';

/**
 * The name of an account's database on this device. A plain hash: it has to be the same on pages without
 * crypto.subtle, and only has to keep accounts apart, not secret.
 */
export function deviceDbName(email: string): string {
  const key = normalizeIdentifier(email);
  return `sprig-${hash53(key, 1)}${hash53(key, 2)}`;
}

/** cyrb53: 53 well-mixed bits of a text, public domain. */
function hash53(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
