import { type AppServer, openAppServer } from './app-server.ts';
import { openPhone, type Phone } from './browser.ts';
import { signIn } from './garden.ts';

export interface SetUp {
  server: AppServer;
  phone: Phone;
  close: () => Promise<void>;
}

/** A server of its own with the demo's garden, and a phone; with `at`, signed in and on that screen. */
export async function setUp(at?: string): Promise<SetUp> {
  const server = await openAppServer();
  await server.start();
  const phone = await openPhone(server.url);
  if (at) await signIn(phone.page, at);
  const close = async () => {
    await phone.close();
    await server.close();
  };
  return { server, phone, close };
}
