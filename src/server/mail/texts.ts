import type { Letter } from './mail.ts';

/** A paragraph, or a link under its name. */
type Part = string | { name: string; link: string };

/** Nothing that was typed at registration stands in a mail: else a stranger could have us mail their words. */
export function verifyEmailLetter(link: string): Letter {
  return compose('Verify your email address', link, [
    'Welcome to Sprig!',
    'Please verify your email address within 24 hours; then you can sign in:',
    { name: 'Verify email address', link },
    'If you did not create an account, you can ignore this mail.',
  ]);
}

export function alreadyRegisteredLetter(publicUrl: string): Letter {
  const link = `${publicUrl}/signin`;
  return compose('You already have an account', link, [
    'Somebody tried to create a Sprig account with this email address. It has one already, and nothing was changed.',
    'If it was you, just sign in:',
    { name: 'Sign in', link },
    'If you do not remember your password, you can choose a new one:',
    { name: 'Reset password', link: `${publicUrl}/forgot-password` },
    'If it was not you, you can ignore this mail.',
  ]);
}

export function resetPasswordLetter(link: string): Letter {
  return compose('Reset your password', link, [
    'Somebody asked to reset the password of the Sprig account with this email address.',
    'If it was you, please choose a new password within an hour:',
    { name: 'Choose a new password', link },
    'If it was not you, you can ignore this mail; your password stays as it is.',
  ]);
}

export function passwordChangedLetter(publicUrl: string): Letter {
  const link = `${publicUrl}/forgot-password`;
  return compose('Your password was changed', link, [
    'The password of your Sprig account was changed, and every device was signed out.',
    'If it was not you, please choose another one:',
    { name: 'Reset password', link },
  ]);
}

function compose(subject: string, link: string, parts: Part[]): Letter {
  const text = parts.map((part) => (typeof part === 'string' ? part : part.link)).join('\n\n');
  return { subject, link, text: `${text}\n`, html: page(parts.map(paragraph).join('\n')) };
}

function paragraph(part: Part): string {
  if (typeof part === 'string') return `<p>${escaped(part)}</p>`;
  return `<p><a href="${escaped(part.link)}">${escaped(part.name)}</a></p>`;
}

function page(body: string): string {
  return `<!doctype html>\n<html lang="en">\n<body>\n${body}\n</body>\n</html>\n`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
