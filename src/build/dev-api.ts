import type { Plugin } from 'vite';

/** Serves the API from the development server's own process. */
export function devApi(): Plugin {
  return {
    name: 'sprig-dev-api',
    apply: 'serve',
    async configureServer(server) {
      if (process.env.VITEST) return;
      const { openDevApi } = await server.ssrLoadModule('/src/server/dev-api.ts');
      const api: Awaited<ReturnType<typeof import('../server/dev-api.ts').openDevApi>> =
        await openDevApi(() => server.resolvedUrls?.local[0]);
      server.httpServer?.once('close', () => void api.close());
      server.middlewares.use((request, response, next) => {
        if (/^\/(api|auth|healthz)\b/.test(request.url ?? '')) api.handle(request, response);
        else next();
      });
    },
  };
}
