import type { IncomingMessage, ServerResponse } from 'node:http';
import { readConfig } from './config.ts';
import { openServer } from './open-server.ts';

/** The API for Vite's development server to mount: the real one, on the real database. */
export async function openDevApi(publicUrl: () => string | undefined): Promise<{
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  close: () => Promise<void>;
}> {
  const ownAddress = () => publicUrl()?.replace(/\/$/, '');
  const { app } = await openServer(readConfig(process.env), null, ownAddress, { apiPage: true });
  await app.ready();
  return {
    handle: (request, response) => app.routing(request, response),
    close: async () => void (await app.close()),
  };
}
