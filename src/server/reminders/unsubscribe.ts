import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { reminderPaths } from '#contract/settings/reminders.ts';
import { htmlEscaped } from '#domain/text.ts';
import { accountIn, defaultBytes, tokenFor } from '../accounts/token.ts';
import { transaction } from '../database/transaction.ts';
import { ApiError } from '../http/api-error.ts';
import type { App, AppDeps } from '../http/app-deps.ts';
import { limitAttempts } from '../http/rate-limit.ts';
import { serverKeys } from './server-keys.ts';
import { changeSettings } from './settings.ts';

const linkQuery = v.object({ token: v.string() });

/**
 * The unsubscribe link in emails (RFC 8058). Mail programs send a POST when the person taps their unsubscribe button. A
 * GET only shows a page that asks, because mail programs also open links by themselves.
 */
export async function unsubscribeRoutes(app: App, deps: AppDeps): Promise<void> {
  // The body of the POST is a form; its content is ignored.
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];
  app.addContentTypeParser(forms, { parseAs: 'string' }, (_request, _body, done) => {
    done(null, undefined);
  });

  // A person who has pressed the button of the page must not see JSON.
  app.setErrorHandler((error, request, reply) => {
    const isBrowser = request.headers.accept?.includes('text/html');
    if (!isBrowser || !(error instanceof ApiError)) throw error;
    reply.status(error.status).headers(error.headers).type('text/html; charset=utf-8');
    return reply.send(unsubscribePage(`<p>${htmlEscaped(error.message)}</p>`));
  });

  app.get(reminderPaths.unsubscribe, async ({ query }, reply) => {
    const token = tokenIn(query);
    const action = `${reminderPaths.unsubscribe}?token=${encodeURIComponent(token)}`;
    return reply.type('text/html; charset=utf-8').send(
      unsubscribePage(`<p>Do you want no more reminders by email?</p>
<form method="post" action="${htmlEscaped(action)}"><button>Stop the emails</button></form>`),
    );
  });

  app.post(reminderPaths.unsubscribe, async ({ query, ip }, reply) => {
    const token = tokenIn(query);
    await limitAttempts(deps, 'unsubscribe', token, ip);
    const { unsubscribe } = await serverKeys(deps.db);
    const userId = accountOfLink(unsubscribe, token);
    if (userId === null) throw invalidLink();
    const owner = { userId, now: deps.clock() };
    await transaction(deps.db, (tx) => changeSettings(tx, owner, { mail_enabled: false }));
    return reply
      .type('text/html; charset=utf-8')
      .send(unsubscribePage('<p>You will get no more reminders by email.</p>'));
  });
}

function tokenIn(query: unknown): string {
  const parsed = v.safeParse(linkQuery, query);
  return parsed.success ? parsed.output.token : '';
}

function invalidLink(): ApiError {
  return new ApiError(400, 'invalid_token', 'This link is not valid. Please open the settings.');
}

/**
 * The token of an account's unsubscribe link. It contains the account's id, as a device token does. It is derived from
 * a key of the server and not stored, so that the links in all earlier emails stay valid.
 */
export function unsubscribeToken(key: string, userId: string): string {
  const secret = createHmac('sha256', key).update(`mail ${userId}`).digest();
  return tokenFor(userId, secret.subarray(0, defaultBytes));
}

/** The account that an unsubscribe token belongs to; null if this server did not generate it. */
function accountOfLink(key: string, token: string): string | null {
  const userId = accountIn(token);
  if (userId === null) return null;
  const expected = Buffer.from(unsubscribeToken(key, userId));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected) ? userId : null;
}

export function unsubscribeUrl(publicUrl: string, key: string, userId: string): string {
  return `${publicUrl}${reminderPaths.unsubscribe}?token=${unsubscribeToken(key, userId)}`;
}

/** A page without scripts, which any browser shows. `body`: HTML. */
export function unsubscribePage(body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Emails from Sprig</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>${pageStyle}
</style></head>
<body>
<main>
<h1>Sprig</h1>
${body}
<p><a href="/dashboard/settings">Settings</a></p>
</main>
</body>
</html>
`;
}

/**
 * Copies of the app's colours and sizes (client/ui/tokens.css). The page cannot link that stylesheet, because its URL
 * changes with each build.
 */
const pageStyle = `
  :root { color-scheme: light dark; --ink: #1b2a21; --paper: #f6f4ec; --leaf: #1f6b45; --on-leaf: #ffffff; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e8efe6; --paper: #101612; --leaf: #8ad0a0; --on-leaf: #0c2215; }
  }
  body { max-width: 28rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif;
    color: var(--ink); background: var(--paper); }
  h1 { font-family: ui-serif, Georgia, serif; font-size: 1.75rem; }
  button { min-height: 2.75rem; padding: 0 1.25rem; border: 0; border-radius: 999px; font: inherit; font-weight: 600;
    color: var(--on-leaf); background: var(--leaf); }
  a { display: inline-block; padding: 0.625rem 0; color: var(--leaf); }`;
