// @ts-check
import { createServer } from 'vite';

// `npm run bench` runs every bench available here, `npm run bench -- list sync` only these two. Vite compiles their
// TypeScript.
const vite = await createServer({
  configFile: false,
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
try {
  const { runBenches } = await vite.ssrLoadModule('/tests/bench/run.ts');
  await runBenches(process.argv.slice(2));
} finally {
  await vite.close();
}
