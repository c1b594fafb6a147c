import type { Email } from '#server/mail/email.ts';
import { requestAs } from './request.ts';
import { publicUrl, type TestServer } from './server.ts';

export const person = {
  username: 'Rosa Gardener',
  email: 'rosa@example.org',
  password: 'rose-garden',
};

export function register(server: TestServer, changes: Partial<typeof person> | object = {}) {
  return requestAs(server, null)('POST', '/auth/register', { payload: { ...person, ...changes } });
}

/** Follows an email's link and returns the status and the URL of the redirect, e.g. '302 /signin'. */
export async function follow(server: TestServer, mail: Email | undefined): Promise<string> {
  const path = (mail?.link ?? '').replace(publicUrl, '');
  const response = await requestAs(server, null)('GET', path);
  return `${response.statusCode} ${response.headers.location}`;
}

export function signIn(server: TestServer, changes: Partial<typeof person> = {}) {
  const { email, password } = { ...person, ...changes };
  return requestAs(server, null)('POST', '/auth/login', {
    payload: { username_or_email: email, password },
  });
}
