import { provided } from '../../support/provided.ts';
import { type AppServer, openAppServer } from './app-server.ts';
import { openPhone, type Phone } from './browser.ts';

export interface SetUp {
  server: AppServer;
  phone: Phone;
  close: () => Promise<void>;
}

/**
 * Opens a server with the demo garden, and a phone. With `at`, the app is installed on the phone, the demo account is
 * signed in, and the phone shows that screen; requests of its service worker cannot be intercepted. Without `at` the
 * phone is new.
 */
export async function setUp(at?: string): Promise<SetUp> {
  const server = await openAppServer();
  await server.start();
  const phone = await openPhone(server.url, at ? { profile: provided('demoPhone') } : {});
  if (at) {
    await phone.page.goto(at);
    await phone.page.getByRole('article').first().waitFor();
  }
  const close = async () => {
    await phone.close();
    await server.close();
  };
  return { server, phone, close };
}
