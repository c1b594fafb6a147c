import type { FastifyServerOptions } from 'fastify';

/** Logs warnings and errors as JSON lines. Error messages are left out: the database puts row values into them. */
export const serverLog: FastifyServerOptions['logger'] = {
  level: 'warn',
  base: null,
  serializers: {
    err: (error: Error & { code?: string }) => ({
      type: error.name,
      message: '',
      code: error.code,
      stack: (error.stack ?? '')
        .split('\n')
        .filter((line) => /^\s+at /.test(line))
        .slice(0, 8)
        .join('\n'),
    }),
  },
};
