import { provided } from '../../support/provided.ts';
import { openPhone, type Phone, type PhoneOptions } from './phone/browser.ts';
import { type AppServer, openAppServer } from './server/app-server.ts';

export interface SetUp {
  server: AppServer;
  phone: Phone;
  close: () => Promise<void>;
}

/**
 * Opens a server with the demo garden, and a phone. With a path, the phone has the app installed and the demo account
 * signed in, and shows the screen at that path. Without one it is new.
 *
 * Tests that intercept requests of the service worker need a new phone: Playwright does not intercept a worker that an
 * earlier browser process has installed.
 */
export async function setUp(path?: string, options: PhoneOptions = {}): Promise<SetUp> {
  const server = await openAppServer();
  await server.start();
  const phone = await openPhone(server.url, {
    ...options,
    ...(path && { profile: provided('demoPhone') }),
  });
  if (path) {
    await phone.page.goto(path);
    await phone.page.getByRole('article').first().waitFor();
  }
  const close = async () => {
    await phone.close();
    await server.close();
  };
  return { server, phone, close };
}
