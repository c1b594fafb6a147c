import type { ServerProcess } from './server-process.ts';

export interface Person {
  username: string;
  email: string;
  password: string;
}

/** Registers at a running server and follows the emailed link. Any of the `senders` processes may print the link. */
export async function signUp(
  server: ServerProcess,
  person: Person,
  senders = [server],
): Promise<void> {
  const before = new Map(senders.map((sender) => [sender, sender.output().length]));
  await post(server.url, '/auth/register', person);
  const link = await printedLink(before);
  const response = await fetch(link, { redirect: 'manual' });
  if (!response.headers.get('location')?.endsWith('verified=1')) {
    throw new Error(`the link verified nobody: ${response.status}`);
  }
}

/** Signs in and returns the token. */
export async function signIn(url: string, { email, password }: Person): Promise<string> {
  const response = await post(url, '/auth/login', { username_or_email: email, password });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function post(url: string, path: string, body: object): Promise<Response> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Waits for the email, which is sent after the response. If it never is, the test times out. */
async function printedLink(before: Map<ServerProcess, number>): Promise<string> {
  for (;;) {
    for (const [sender, from] of before) {
      const link = /^Mail ".*": (http\S+)$/m.exec(sender.output().slice(from))?.[1];
      if (link !== undefined) return link;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
