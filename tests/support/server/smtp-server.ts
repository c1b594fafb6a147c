import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string;
  source: string;
  /** The user that authenticated; null without AUTH. */
  user: string | null;
}

export interface SmtpTestServer {
  url: string;
  /** The received emails: one entry for each recipient. */
  received: ReceivedMail[];
  close: () => Promise<void>;
}

export interface SmtpOptions {
  /** The error sent instead of a greeting, e.g. '554 go away'; '' to send nothing. */
  greeting?: string;
  /** The error for every recipient, e.g. '550 no such person'. */
  recipients?: string;
  /** Whether the server responds to a received email; called once for each email. */
  responds?: () => boolean;
  /** If set, the server offers and requires AUTH. */
  account?: { user: string; password: string };
}

/** A mail server on this machine, without TLS, that behaves as the options say. */
export async function openSmtpServer(options: SmtpOptions = {}): Promise<SmtpTestServer> {
  const { greeting, recipients, account, responds = () => true } = options;
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: account ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: true,
    authOptional: !account,
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect: (_session, done) => {
      if (greeting !== '') done(refusal(greeting));
    },
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === account?.user && password === account?.password;
      if (isRight) done(null, { user: username });
      else done(refusal('535 wrong password'));
    },
    onRcptTo: (_address, _session, done) => done(refusal(recipients)),
    onData: (stream, { envelope, user }, done) => {
      void text(stream).then((source) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        for (const { address: to } of envelope.rcptTo) {
          received.push({ from, to, source, user: user ?? null });
        }
        if (responds()) done();
      });
    },
  });
  // Tests disconnect on purpose.
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const credentials = account
    ? `${encodeURIComponent(account.user)}:${encodeURIComponent(account.password)}@`
    : '';
  return {
    url: `smtp://${credentials}127.0.0.1:${port}`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusal(words: string | undefined): Error | null {
  if (words === undefined) return null;
  const [, code, text] = /^(\d{3}) (.*)$/.exec(words) ?? [];
  return Object.assign(new Error(text), { responseCode: Number(code) });
}
