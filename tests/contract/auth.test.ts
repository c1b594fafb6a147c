import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import {
  loginPayloadSchema,
  loginResponseSchema,
  registerPayloadSchema,
  userSchema,
} from '#contract/auth.ts';
import { accepts, schemaErrors } from './support/schema-errors.ts';

const login = { username_or_email: 'rose@garden.org', password: ' p ', rememberMe: true };

test('trims the identifier of a login, never the password', () => {
  const typed = { ...login, username_or_email: ' rose@garden.org ' };
  expect(v.parse(loginPayloadSchema, typed)).toEqual(login);
});

test('rememberMe is false by default', () => {
  const { rememberMe: _, ...without } = login;
  expect(v.parse(loginPayloadSchema, without)).toEqual({ ...login, rememberMe: false });
});

test.each([
  {},
  { ...login, username_or_email: '  ' },
  { ...login, username_or_email: 5 },
  { ...login, password: '' },
  { ...login, password: null },
  { ...login, password: 'x'.repeat(5000) },
  { ...login, rememberMe: 'yes' },
])('rejects %j as a login', (input) => {
  expect(accepts(loginPayloadSchema, input)).toBe(false);
});

test.each<[input: unknown, accepted: boolean]>([
  [{ access_token: 'a.b.c', token_type: 'bearer' }, true],
  [{ access_token: '' }, false],
  [{ token: 'a.b.c' }, false],
  [null, false],
])('%j is a valid login response: %s', (input, accepted) => {
  expect(accepts(loginResponseSchema, input)).toBe(accepted);
});

test('a user has a name, an email address and is_verified', () => {
  const user = { username: 'Rose', email: 'rose@garden.org', is_verified: true };
  expect(v.parse(userSchema, { ...user, id: 'u1', password_hash: 'x' })).toEqual(user);
  for (const name of Object.keys(user)) {
    expect(accepts(userSchema, { ...user, [name]: undefined })).toBe(false);
  }
});

const person = { username: 'Rose', email: 'rose@garden.org', password: 'rose-garden' };

test('trims the name and email of a registration, never the password', () => {
  const typed = { username: ' Rose ', email: ' Rose@garden.org ', password: ' 8 chars' };
  expect(v.parse(registerPayloadSchema, typed)).toEqual({
    username: 'Rose',
    email: 'Rose@garden.org',
    password: ' 8 chars',
  });
});

test.each([
  [{ username: ' ' }, 'username: Name is required'],
  [{ email: ' ' }, 'email: Email is required'],
  [{ email: 'rose@garden' }, 'email: Please enter a valid email address'],
  [{ email: 'ro se@garden.org' }, 'email: Please enter a valid email address'],
  [{ password: '1234567' }, 'password: Password must be at least 8 characters'],
])('rejects a registration with %j: %s', (change, error) => {
  expect(schemaErrors(registerPayloadSchema, { ...person, ...change })).toEqual([error]);
});

test.each([
  { username: 'x'.repeat(201) },
  { email: `${'x'.repeat(311)}@garden.org` },
  { password: 'x'.repeat(1025) },
])('limits the length of registration fields', (change) => {
  expect(schemaErrors(registerPayloadSchema, { ...person, ...change })).toHaveLength(1);
});

test('rejects a very long email address without running the regular expression', () => {
  const email = `a@${'.'.repeat(60_000)}@`;
  const matched = vi.spyOn(RegExp.prototype, 'exec');
  const errors = schemaErrors(registerPayloadSchema, { ...person, email });
  const texts = matched.mock.calls.map(([text]) => text);
  matched.mockRestore();
  expect(errors).toHaveLength(1);
  expect(texts).not.toContain(email);
});
