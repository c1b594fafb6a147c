import { expect, test } from 'vitest';
import {
  checkForgotPassword,
  checkResetPassword,
  checkSignIn,
  checkSignUp,
  emailProblem,
  isWellFormedToken,
  normalizeIdentifier,
  passwordStrength,
} from '#domain/account.ts';

test.each([
  ['a.b.c', true],
  ['a.b', false],
  ['a.b.c.d', false],
  ['..', false],
  ['a..c', false],
  ['token', false],
  ['', false],
])('the token %j has three non-empty parts: %s', (token, wellFormed) => {
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
  [`${'r'.repeat(309)}@garden.org`, undefined],
  [`${'r'.repeat(310)}@garden.org`, 'Please enter a valid email address'],
])('the email %j: %s', (typed, problem) => {
  expect(emailProblem(typed)).toBe(problem);
});

test('accepts a complete sign-in form', () => {
  expect(checkSignIn({ email: 'rose@garden.org', password: ' ' })).toEqual({});
});

test('reports both fields of an empty sign-in form', () => {
  expect(checkSignIn({ email: '', password: '' })).toEqual({
    email: 'Email is required',
    password: 'Password is required',
  });
});

const newcomer = {
  name: 'Rosa Gardener',
  email: 'rosa@garden.org',
  password: 'rose-garden',
  confirmPassword: 'rose-garden',
  agreeToTerms: true,
};

test.each([
  ['nothing wrong', {}, {}],
  ['no name', { name: '' }, { name: 'Name is required' }],
  ['a blank name', { name: ' \t ' }, { name: 'Name is required' }],
  ['a name of 200 characters', { name: ` ${'r'.repeat(200)} ` }, {}],
  ['a longer name', { name: 'r'.repeat(201) }, { name: 'Must be at most 200 characters' }],
  ['no email', { email: ' ' }, { email: 'Email is required' }],
  ['half an email', { email: 'rosa@' }, { email: 'Please enter a valid email address' }],
  [
    'no password',
    { password: '' },
    { password: 'Password is required', confirmPassword: 'Passwords do not match' },
  ],
  [
    'seven characters',
    { password: '1234567', confirmPassword: '1234567' },
    { password: 'Password must be at least 8 characters' },
  ],
  ['eight characters', { password: '12345678', confirmPassword: '12345678' }, {}],
  ['eight blanks', { password: ' '.repeat(8), confirmPassword: ' '.repeat(8) }, {}],
  [
    'more than 1024 characters',
    { password: 'r'.repeat(1025), confirmPassword: 'r'.repeat(1025) },
    { password: 'Must be at most 1024 characters' },
  ],
  ['no confirmation', { confirmPassword: '' }, { confirmPassword: 'Please confirm your password' }],
  [
    'another confirmation',
    { confirmPassword: 'Rose-garden' },
    { confirmPassword: 'Passwords do not match' },
  ],
  ['no agreement', { agreeToTerms: false }, { agreeToTerms: 'You must agree to the terms' }],
])('reports what is wrong in a sign-up form with %s', (_, changes, messages) => {
  expect(checkSignUp({ ...newcomer, ...changes })).toEqual(messages);
});

test('reports every field of an empty sign-up form, from top to bottom', () => {
  const empty = { name: '', email: '', password: '', confirmPassword: '', agreeToTerms: false };
  expect(Object.entries(checkSignUp(empty))).toEqual([
    ['name', 'Name is required'],
    ['email', 'Email is required'],
    ['password', 'Password is required'],
    ['confirmPassword', 'Please confirm your password'],
    ['agreeToTerms', 'You must agree to the terms'],
  ]);
});

test.each([
  ['', { email: 'Email is required' }],
  ['  ', { email: 'Email is required' }],
  ['rosa', { email: 'Please enter a valid email address' }],
  [' rosa@garden.org ', {}],
])('checks the email %j in a request for a reset link', (email, messages) => {
  expect(checkForgotPassword({ email })).toEqual(messages);
});

test.each([
  ['nothing wrong', {}, {}],
  ['no token', { token: '' }, { token: 'Invalid or missing reset token' }],
  ['no password', { password: '', confirmPassword: '' }, { password: 'Password is required' }],
  [
    'seven characters',
    { password: '1234567', confirmPassword: '1234567' },
    { password: 'Password must be at least 8 characters long' },
  ],
  ['eight characters', { password: '12345678', confirmPassword: '12345678' }, {}],
  ['no confirmation', { confirmPassword: '' }, { confirmPassword: 'Passwords do not match' }],
  [
    'another confirmation',
    { confirmPassword: 'rose-garden ' },
    { confirmPassword: 'Passwords do not match' },
  ],
])('reports what is wrong in a reset form with %s', (_, changes, messages) => {
  const form = { token: 'from-the-mail', password: 'rose-garden', confirmPassword: 'rose-garden' };
  expect(checkResetPassword({ ...form, ...changes })).toEqual(messages);
});

test.each([
  ['', null],
  ['aB3$xyz', 'Weak'],
  ['abcdefgh', 'Weak'],
  ['12345678', 'Weak'],
  ['abcdefg1', 'Weak'],
  ['ABCDEFG$', 'Weak'],
  ['abcdeFG1', 'Medium'],
  ['abcdef1$', 'Medium'],
  ['ABCDEF1 ', 'Medium'],
  ['abcdeF$$', 'Medium'],
  ['abcdeF1$', 'Strong'],
  ['öäüßÄÖ1!', 'Strong'],
  ['öäüßöäüß', 'Weak'],
])('the password %j is %s', (password, strength) => {
  expect(passwordStrength(password)).toBe(strength);
});

test('normalizes an email address by trimming it and converting it to lower case', () => {
  expect(normalizeIdentifier('  Rose@Garden.ORG\n')).toBe('rose@garden.org');
});
