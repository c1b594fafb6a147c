import * as v from 'valibot';
import { userSchema } from '#contract/auth.ts';
import { messageResponseSchema } from '#contract/plants.ts';
import {
  accountSessionsSchema,
  emailPayloadSchema,
  passwordPayloadSchema,
  profilePaths,
  profilePayloadSchema,
} from '#contract/settings/profile.ts';
import type { Operation } from '../../http/openapi/operation.ts';

const tag = 'Accounts';
const confirmQuerySchema = v.object({ token: v.optional(v.string()) });

export const accountSettingsOperations: readonly Operation[] = [
  {
    id: 'currentUser',
    method: 'get',
    path: profilePaths.profile,
    tag,
    summary: 'Get the signed-in user',
    caller: 'person',
    success: { status: 200, description: 'The account', schema: userSchema },
  },
  {
    id: 'changeProfile',
    method: 'patch',
    path: profilePaths.profile,
    tag,
    summary: 'Change the name or the time zone',
    description:
      'Fields that are missing keep their value. The person can also sign in with the name.',
    caller: 'person',
    body: profilePayloadSchema,
    example: { username: 'Rosa Gardener', time_zone: 'Europe/Paris' },
    success: { status: 200, description: 'The changed account', schema: userSchema },
    badInput: [
      {
        summary: 'Unknown time zone',
        body: { time_zone: 'Mars/Olympus' },
        detail: [{ loc: ['body', 'time_zone'], msg: 'This time zone is not known' }],
      },
    ],
  },
  {
    id: 'changeEmail',
    method: 'post',
    path: profilePaths.email,
    tag,
    summary: 'Change the email address',
    description:
      'Sends a link to the new address. If it is opened within 24 hours, the account has the new address. A later request invalidates the link. If the new address belongs to another verified account, its owner gets an email that says so instead. The response is the same whether or not the new address already has an account. A wrong current password is a 422.',
    caller: 'person',
    body: emailPayloadSchema,
    example: { email: 'rosa@new.example.org', password: 'rose-garden' },
    success: { status: 200, description: 'An email will be sent', schema: messageResponseSchema },
    isLimited: true,
    badInput: [
      {
        summary: 'Invalid email address',
        body: { email: 'rosa', password: 'rose-garden' },
        detail: [{ loc: ['body', 'email'], msg: 'Please enter a valid email address' }],
      },
    ],
  },
  {
    id: 'confirmEmail',
    method: 'get',
    path: profilePaths.confirmEmail,
    tag,
    summary: 'Confirm a new email address',
    description:
      'Opened by the link in the email to the new address. The token can be used once. The old address is notified.',
    caller: 'anybody',
    query: confirmQuerySchema,
    success: {
      status: 302,
      description:
        'Redirects to the settings with `email=confirmed`, or with `email=invalid` if the token is missing, unknown, used or expired, or if another verified account now has the address. An unverified account with the address is deleted',
    },
  },
  {
    id: 'changePassword',
    method: 'post',
    path: profilePaths.password,
    tag,
    summary: 'Change the password',
    description:
      'Ends all other sessions of the account, and invalidates emailed links for a new password or a new email address. A wrong current password is a 422.',
    caller: 'person',
    body: passwordPayloadSchema,
    example: { password: 'rose-garden', new_password: 'another-garden' },
    success: { status: 200, description: 'The password is changed', schema: messageResponseSchema },
    isLimited: true,
    badInput: [
      {
        summary: 'New password too short',
        body: { password: 'rose-garden', new_password: 'short' },
        detail: [
          { loc: ['body', 'new_password'], msg: 'Password must be at least 8 characters long' },
        ],
      },
    ],
  },
  {
    id: 'listSessions',
    method: 'get',
    path: profilePaths.sessions,
    tag,
    summary: 'List the sessions of the account',
    caller: 'person',
    success: { status: 200, description: 'Newest first', schema: accountSessionsSchema },
  },
  {
    id: 'endSession',
    method: 'delete',
    path: profilePaths.session,
    tag,
    summary: 'End a session',
    caller: 'person',
    names: 'session',
    success: { status: 200, description: 'Ended', schema: messageResponseSchema },
  },
  {
    id: 'endOtherSessions',
    method: 'delete',
    path: profilePaths.sessions,
    tag,
    summary: 'End all sessions but this one',
    caller: 'person',
    success: { status: 200, description: 'Ended', schema: messageResponseSchema },
  },
];
