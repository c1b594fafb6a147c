import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/server/accounts/schema.ts', './src/server/plants/schema.ts'],
  out: './src/server/database/migrations',
});
