import * as v from 'valibot';
import {
  authPaths,
  forgotPasswordPayloadSchema,
  loginPayloadSchema,
  loginResponseSchema,
  registerPayloadSchema,
  resetPasswordPayloadSchema,
} from '#contract/auth.ts';
import { messageResponseSchema } from '#contract/plants.ts';
import type { Operation } from '../http/openapi/operation.ts';

const tag = 'Accounts';

/** The token is optional, so that a link without one redirects like a link with an invalid one. */
const verifyQuerySchema = v.object({ token: v.optional(v.string()) });

export const accountOperations: readonly Operation[] = [
  {
    id: 'register',
    method: 'post',
    path: authPaths.register,
    tag,
    summary: 'Create an account',
    description:
      'Sends an email with a link that verifies the address and expires after 24 hours. The response is the same whether or not the address already has an account.',
    caller: 'anybody',
    body: registerPayloadSchema,
    example: { username: 'Rosa Gardener', email: 'rosa@example.org', password: 'rose-garden' },
    success: { status: 201, description: 'An email will be sent', schema: messageResponseSchema },
    isLimited: true,
    badInput: [
      {
        summary: 'Invalid email address and password too short',
        body: { username: 'Rosa', email: 'rosa', password: 'short' },
        detail: [
          { loc: ['body', 'email'], msg: 'Please enter a valid email address' },
          { loc: ['body', 'password'], msg: 'Password must be at least 8 characters' },
        ],
      },
    ],
  },
  {
    id: 'verifyEmail',
    method: 'get',
    path: authPaths.verifyEmail,
    tag,
    summary: 'Verify an email address',
    description: 'Opened by the link in the verification email. The token can be used once.',
    caller: 'anybody',
    query: verifyQuerySchema,
    success: {
      status: 302,
      description:
        'Redirects to the sign-in screen with `verified=1`, or with `verified=0` if the token is missing, unknown, used or expired',
    },
  },
  {
    id: 'login',
    method: 'post',
    path: authPaths.login,
    tag,
    summary: 'Sign in',
    description:
      'The session lasts 12 hours, or 30 days with `rememberMe`. The token is a JWT whose `exp` is the end of the session. An account has at most 50 sessions: a further one ends the oldest.',
    caller: 'anybody',
    body: loginPayloadSchema,
    example: { username_or_email: 'rosa@example.org', password: 'rose-garden', rememberMe: true },
    success: { status: 200, description: 'Signed in', schema: loginResponseSchema },
    isLimited: true,
    errors: {
      401: 'Wrong username, email address or password (`unauthorized`)',
      403: 'The email address is not verified yet (`not_verified`)',
    },
    badInput: [
      {
        summary: 'Missing password',
        body: { username_or_email: 'rosa@example.org' },
        detail: [{ loc: ['body', 'password'], msg: 'Required' }],
      },
    ],
  },
  {
    id: 'logout',
    method: 'post',
    path: authPaths.logout,
    tag,
    summary: 'Sign out',
    description: 'Ends the session. Its token is invalid afterwards.',
    caller: 'person',
    success: { status: 200, description: 'Signed out', schema: messageResponseSchema },
  },
  {
    id: 'forgotPassword',
    method: 'post',
    path: authPaths.forgotPassword,
    tag,
    summary: 'Request a password reset',
    description:
      'Sends an email with a link that can be used once and expires after one hour. The response is the same whether or not the account exists.',
    caller: 'anybody',
    body: forgotPasswordPayloadSchema,
    example: { username_or_email: 'rosa@example.org' },
    success: {
      status: 200,
      description: 'If the account exists, an email will be sent',
      schema: messageResponseSchema,
    },
    isLimited: true,
    badInput: [
      {
        summary: 'Missing identifier',
        body: {},
        detail: [{ loc: ['body', 'username_or_email'], msg: 'Required' }],
      },
    ],
  },
  {
    id: 'resetPassword',
    method: 'post',
    path: authPaths.resetPassword,
    tag,
    summary: 'Set a new password',
    description: 'Takes the token of the link in the email. Ends all sessions of the account.',
    caller: 'anybody',
    body: resetPasswordPayloadSchema,
    example: { token: 'token from the link', password: 'another-garden' },
    success: { status: 200, description: 'The password is changed', schema: messageResponseSchema },
    isLimited: true,
    errors: {
      400: 'The token is invalid, used or expired (`invalid_token`), or the body is not valid JSON',
    },
    badInput: [
      {
        summary: 'Password too short',
        body: { token: 'token from the link', password: 'short' },
        detail: [{ loc: ['body', 'password'], msg: 'Password must be at least 8 characters long' }],
      },
    ],
  },
];
