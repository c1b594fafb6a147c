// @ts-check
import { createServer } from 'vite';

// `npm run bench` runs every bench, `npm run bench -- list sync` those two. Vite compiles the TypeScript of the
// benches.
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
