import { once } from 'node:events';
import http from 'node:http';

/** A captive portal at the server's URL, which responds to every request with its own page and status 200. */
export async function openPortal(address: string): Promise<{ close: () => Promise<void> }> {
  const portal = http.createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end('<!doctype html><title>Welcome</title><h1>Buy some network</h1>');
  });
  const { hostname, port } = new URL(address);
  portal.listen(Number(port), hostname);
  await once(portal, 'listening');
  return {
    close: async () => {
      portal.closeAllConnections();
      portal.close();
      await once(portal, 'close');
    },
  };
}
