import type { EmailContent } from './email.ts';

/** A paragraph, or a link with its label. */
type Part = string | { label: string; link: string };

/** Emails contain nothing that was typed at registration; otherwise strangers could send their own text through us. */
export function verificationEmail(link: string): EmailContent {
  return compose('Verify your email address', link, [
    'Welcome to Sprig!',
    'Please verify your email address within 24 hours; then you can sign in:',
    { label: 'Verify email address', link },
    'If you did not create an account, you can ignore this mail.',
  ]);
}

export function alreadyRegisteredEmail(publicUrl: string): EmailContent {
  const link = `${publicUrl}/signin`;
  return compose('You already have an account', link, [
    'Somebody tried to create a Sprig account with this email address. It has one already, and nothing was changed.',
    'If it was you, just sign in:',
    { label: 'Sign in', link },
    'If you do not remember your password, you can choose a new one:',
    { label: 'Reset password', link: `${publicUrl}/forgot-password` },
    'If it was not you, you can ignore this mail.',
  ]);
}

export function passwordResetEmail(link: string): EmailContent {
  return compose('Reset your password', link, [
    'Somebody asked to reset the password of the Sprig account with this email address.',
    'If it was you, please choose a new password within an hour:',
    { label: 'Choose a new password', link },
    'If it was not you, you can ignore this mail; your password stays as it is.',
  ]);
}

export function passwordChangedEmail(publicUrl: string): EmailContent {
  const link = `${publicUrl}/forgot-password`;
  return compose('Your password was changed', link, [
    'The password of your Sprig account was changed, and every device was signed out.',
    'If it was not you, please choose another one:',
    { label: 'Reset password', link },
  ]);
}

function compose(subject: string, link: string, parts: Part[]): EmailContent {
  const text = parts.map((part) => (typeof part === 'string' ? part : part.link)).join('\n\n');
  return { subject, link, text: `${text}\n`, html: page(parts.map(paragraph).join('\n')) };
}

function paragraph(part: Part): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`;
}

function page(body: string): string {
  return `<!doctype html>\n<html lang="en">\n<body>\n${body}\n</body>\n</html>\n`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
