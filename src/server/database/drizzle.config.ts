import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/server/db/account-schema.ts', './src/server/db/plant-schema.ts'],
  out: './src/server/db/migrations',
});
