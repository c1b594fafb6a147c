import type { Config } from './config.ts';
import type { App } from './http/validation.ts';

/** Where this machine reaches the server; the port is the real one once it listens. */
export function addressOf(app: App, { host, port }: Pick<Config, 'host' | 'port'>): string {
  const bound = app.server.address();
  const boundPort = typeof bound === 'object' && bound ? bound.port : port;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${boundPort}`;
}
