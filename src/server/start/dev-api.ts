import type { IncomingMessage, ServerResponse } from 'node:http';
import { readConfig } from './config.ts';
import { openServer } from './open-server.ts';

/** The API with its database, for Vite's development server. */
export async function openDevApi(publicUrl: () => string | undefined): Promise<{
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  close: () => Promise<void>;
}> {
  const devUrl = () => publicUrl()?.replace(/\/$/, '');
  const { app } = await openServer(readConfig(process.env), null, devUrl, { apiPage: true });
  await app.ready();
  return {
    handle: (request, response) => app.routing(request, response),
    close: async () => void (await app.close()),
  };
}
