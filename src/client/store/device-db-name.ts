import { normalizeIdentifier } from '#domain/account.ts';

/**
 * The name of an account's database on this device. A simple hash is enough, since it only has to keep accounts apart;
 * crypto.subtle is missing on pages served over plain http.
 */
export function deviceDbName(email: string): string {
  const key = normalizeIdentifier(email);
  return `sprig-${hash53(key, 1)}${hash53(key, 2)}`;
}

/** cyrb53, public domain: 53 bits of hash. */
export function hash53(text: string, seed: number): string {
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
