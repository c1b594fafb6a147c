import { htmlEscaped } from '#domain/text.ts';

/** The content of an email: subject, bodies and links. Its recipient is stated when it is queued or sent. */
export interface EmailContent {
  subject: string;
  text: string;
  html: string;
  /** The link that the email asks to follow. */
  link: string;
  /** The URL for one-click unsubscribe (RFC 8058); only for emails that the account does not need. */
  unsubscribeUrl?: string | null;
}

export interface Email extends EmailContent {
  /** Its row in the queue. */
  id: string;
  to: string;
}

/** Sends emails. Rejects if an email could not be handed over. */
export interface EmailTransport {
  /** Whether emails are written to files instead of sent. */
  writesFiles?: boolean;
  send(email: Email, signal?: AbortSignal): Promise<void>;
}

/** An email in nodemailer's format. */
export function nodemailerFields(email: Email, from: string) {
  const { id, to, subject, text, html, unsubscribeUrl } = email;
  return {
    // The same for every attempt, so that mail programs can recognize one that arrives twice.
    messageId: `<${id}@${from.split('@').at(-1)}>`,
    from: { name: 'Sprig', address: from },
    // An object, because nodemailer would parse a string with a comma or brackets as several recipients.
    to: { name: '', address: to },
    subject,
    text,
    html,
    ...(unsubscribeUrl && { headers: unsubscribeHeaders(unsubscribeUrl) }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Headers with which mail programs offer an unsubscribe button. */
function unsubscribeHeaders(url: string) {
  return {
    'List-Unsubscribe': `<${url}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** A paragraph, a link with its label, or a list. */
export type EmailPart = string | { label: string; link: string } | readonly string[];

/** Emails contain no input of the registration; otherwise strangers could send their own text through this server. */
export function verificationEmail(link: string): EmailContent {
  return compose('Verify your email address', link, [
    'Welcome to Sprig!',
    'Please verify your email address within 24 hours; then you can sign in:',
    { label: 'Verify email address', link },
    'If you did not create an account, you can ignore this mail.',
  ]);
}

/** For an address that was registered before, with another password, and not verified. */
export function choosePasswordEmail(link: string): EmailContent {
  return compose('Verify your email address', link, [
    'Welcome to Sprig!',
    'Somebody has signed up with this email address before, with another password.',
    'Please choose the password of the account within 24 hours; then you can sign in with it:',
    { label: 'Choose a password', link },
    'If you did not create an account, you can ignore this mail.',
  ]);
}

export function alreadyRegisteredEmail(publicUrl: string): EmailContent {
  const link = `${publicUrl}/signin`;
  return compose('You already have an account', link, [
    'Somebody tried to use this email address for another Sprig account. It has one already, and nothing was changed.',
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

export function passwordChangedEmail(
  publicUrl: string,
  { signedOut }: { signedOut: 'every device' | 'every other device' },
): EmailContent {
  const link = `${publicUrl}/forgot-password`;
  return compose('Your password was changed', link, [
    `The password of your Sprig account was changed, and ${signedOut} was signed out.`,
    'If it was not you, please choose another one:',
    { label: 'Reset password', link },
    'Devices, calendar addresses and ntfy topics of the account still work: please check them in the settings.',
  ]);
}

/** To the new address. Contains no other address, because the new one may be a stranger's. */
export function confirmEmailEmail(link: string): EmailContent {
  return compose('Confirm your new email address', link, [
    'Somebody asked to use this email address for a Sprig account.',
    'If it was you, please confirm it within 24 hours; from then on you sign in with it:',
    { label: 'Confirm email address', link },
    'If it was not you, you can ignore this mail.',
  ]);
}

/** To the old address. */
export function emailChangedEmail(publicUrl: string): EmailContent {
  const link = `${publicUrl}/signin`;
  return compose('Your email address was changed', link, [
    'The email address of your Sprig account was changed. You sign in with the new one from now on:',
    { label: 'Sign in', link },
    'If it was not you, somebody knows your password: please write to the people who run this server.',
  ]);
}

/** Both bodies of an email. All texts are escaped in the HTML. */
export function compose(subject: string, link: string, parts: readonly EmailPart[]): EmailContent {
  const text = parts.map(textOf).join('\n\n');
  return { subject, link, text: `${text}\n`, html: page(parts.map(paragraph).join('\n')) };
}

function textOf(part: EmailPart): string {
  if (typeof part === 'string') return part;
  return 'link' in part ? part.link : part.map((item) => `- ${item}`).join('\n');
}

function paragraph(part: EmailPart): string {
  if (typeof part === 'string') return `<p>${htmlEscaped(part)}</p>`;
  if (!('link' in part)) {
    return `<ul>${part.map((item) => `<li>${htmlEscaped(item)}</li>`).join('')}</ul>`;
  }
  return `<p><a href="${htmlEscaped(part.link)}">${htmlEscaped(part.label)}</a></p>`;
}

function page(body: string): string {
  return `<!doctype html>\n<html lang="en">\n<body>\n${body}\n</body>\n</html>\n`;
}
