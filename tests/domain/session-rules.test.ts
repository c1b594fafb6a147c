import { expect, test } from 'vitest';
import {
  checkSignIn,
  emailProblem,
  isWellFormedToken,
  normalizeIdentifier,
} from '#domain/session-rules.ts';

test.each([
  ['a.b.c', true],
  ['a.b', false],
  ['a.b.c.d', false],
  ['..', false],
  ['a..c', false],
  ['token', false],
  ['', false],
])('the token %j has three parts: %s', (token, wellFormed) => {
  expect(isWellFormedToken(token)).toBe(wellFormed);
});

test.each([
  ['', 'Email is required'],
  ['   ', 'Email is required'],
  ['rose', 'Please enter a valid email address'],
  ['rose@garden', 'Please enter a valid email address'],
  ['@garden.org', 'Please enter a valid email address'],
  ['rose @garden.org', 'Please enter a valid email address'],
  ['rose@garden@shed.org', 'Please enter a valid email address'],
  ['rose@garden.org', undefined],
  [' rose@garden.org ', undefined],
  ['r.o-s+e@sub.garden.org', undefined],
])('the e-mail %j: %s', (typed, problem) => {
  expect(emailProblem(typed)).toBe(problem);
});

test('a sign-in form without faults has no messages', () => {
  expect(checkSignIn({ email: 'rose@garden.org', password: ' ' })).toEqual({});
});

test('an empty sign-in form says both', () => {
  expect(checkSignIn({ email: '', password: '' })).toEqual({
    email: 'Email is required',
    password: 'Password is required',
  });
});

test('two spellings of an address are one account', () => {
  expect(normalizeIdentifier('  Rose@Garden.ORG\n')).toBe('rose@garden.org');
});
