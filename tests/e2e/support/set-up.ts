import { type AppServer, openAppServer } from './app-server.ts';
import { openPhone, type Phone, type PhoneOptions } from './browser.ts';
import { signIn } from './garden.ts';

export interface SetUp {
  server: AppServer;
  phone: Phone;
  close: () => Promise<void>;
}

/** Opens a server with the demo garden, and a phone. With `at`, the phone is signed in and shows that screen. */
export async function setUp(at?: string, options?: PhoneOptions): Promise<SetUp> {
  const server = await openAppServer();
  await server.start();
  const phone = await openPhone(server.url, options);
  if (at) await signIn(phone.page, at);
  const close = async () => {
    await phone.close();
    await server.close();
  };
  return { server, phone, close };
}
