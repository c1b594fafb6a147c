import { createHash, randomBytes } from 'node:crypto';

/** 120 bits. */
export const defaultBytes = 15;
/** 256 bits, for URLs that other programs store. */
export const longSecretBytes = 32;

/**
 * A token that contains its account's id, `<account>_<secret>`, so that it is looked up among the account's rows only.
 * By default it has 43 characters, like the tokens of version 0.1, which are entirely random. Version 0.1 and this
 * version accept tokens of both kinds.
 */
export function newToken(userId: string, secretBytes = defaultBytes): string {
  return tokenFor(userId, randomBytes(secretBytes));
}

/** A token with this secret, see newToken. */
export function tokenFor(userId: string, secret: Buffer): string {
  const account = Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');
  return `${account}_${secret.toString('base64url')}`;
}

/**
 * The account id in a token, or null. A token of version 0.1 may look as if it contained one, so search for it among
 * all accounts too.
 */
export function accountIn(token: string): string | null {
  const [, account = ''] = /^([\w-]{22})_(?:[\w-]{20}|[\w-]{43})$/.exec(token) ?? [];
  const digits = Buffer.from(account, 'base64url').toString('hex');
  const parts = /^(.{8})(.{4})([1-8].{3})([89ab].{3})(.{12})$/.exec(digits);
  return parts?.slice(1).join('-') ?? null;
}

/** The tables of tokens store only this hash, so that reading them gives no access to the accounts. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
