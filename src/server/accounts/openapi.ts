import * as v from 'valibot';
import {
  authPaths,
  forgotPasswordPayloadSchema,
  loginAnswerSchema,
  loginPayloadSchema,
  registerPayloadSchema,
  resetPasswordPayloadSchema,
  userSchema,
} from '#contract/auth.ts';
import { messageAnswerSchema } from '#contract/plants.ts';
import type { Operation } from '../openapi/operation.ts';

const tag = 'Accounts';

/** A link without its token is answered like a wrong one, so nothing is refused. */
const verifyQuerySchema = v.object({ token: v.optional(v.string()) });

export const accountOperations: readonly Operation[] = [
  {
    id: 'register',
    method: 'post',
    path: authPaths.register,
    tag,
    summary: 'Make an account',
    description:
      'Mails a link that confirms the address within 24 hours. The answer is the same whether or not the address has an account.',
    caller: 'anybody',
    body: registerPayloadSchema,
    example: { username: 'Rosa Gardener', email: 'rosa@example.org', password: 'rose-garden' },
    success: { status: 201, description: 'A mail is on its way', schema: messageAnswerSchema },
    isLimited: true,
    badInput: [
      {
        summary: 'An address that is none and a short password',
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
    summary: 'Confirm an address by the mailed link',
    description: 'Works once. A link that is used up or wrong leads to the same screen.',
    caller: 'anybody',
    query: verifyQuerySchema,
    success: {
      status: 302,
      description: 'To the sign-in screen, with `verified=1` if it worked, else `verified=0`',
    },
  },
  {
    id: 'login',
    method: 'post',
    path: authPaths.login,
    tag,
    summary: 'Sign in',
    description: 'The token lasts 12 hours, or 30 days with `rememberMe`.',
    caller: 'anybody',
    body: loginPayloadSchema,
    example: { username_or_email: 'rosa@example.org', password: 'rose-garden', rememberMe: true },
    success: { status: 200, description: 'Signed in', schema: loginAnswerSchema },
    isLimited: true,
    refuses: {
      401: 'The name, the address or the password is wrong (`unauthorized`)',
      403: 'The address is not confirmed yet (`not_verified`)',
    },
    badInput: [
      {
        summary: 'No password',
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
    description: 'The token is worth nothing afterwards.',
    caller: 'person',
    success: { status: 200, description: 'Signed out', schema: messageAnswerSchema },
  },
  {
    id: 'currentUser',
    method: 'get',
    path: authPaths.me,
    tag,
    summary: 'Who is signed in',
    caller: 'person',
    success: { status: 200, description: 'The account', schema: userSchema },
  },
  {
    id: 'forgotPassword',
    method: 'post',
    path: authPaths.forgotPassword,
    tag,
    summary: 'Ask for a link to choose a new password',
    description:
      'The link lasts one hour and works once. The answer is the same whether or not there is such an account.',
    caller: 'anybody',
    body: forgotPasswordPayloadSchema,
    example: { username_or_email: 'rosa@example.org' },
    success: {
      status: 200,
      description: 'If there is such an account, a mail is on its way',
      schema: messageAnswerSchema,
    },
    isLimited: true,
    badInput: [
      {
        summary: 'Nobody named',
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
    summary: 'Choose a new password by the mailed link',
    description: 'Ends every session of the account.',
    caller: 'anybody',
    body: resetPasswordPayloadSchema,
    example: { token: 'what the link carries', password: 'another-garden' },
    success: { status: 200, description: 'The password is changed', schema: messageAnswerSchema },
    isLimited: true,
    refuses: { 400: 'The link is wrong, used or too old (`invalid_token`), or the JSON is broken' },
    badInput: [
      {
        summary: 'A short password',
        body: { token: 'what the link carries', password: 'short' },
        detail: [{ loc: ['body', 'password'], msg: 'Password must be at least 8 characters long' }],
      },
    ],
  },
];
