/** Paths for operators and developers; the app does not use them. */
export const servicePaths = {
  health: '/healthz',
  document: '/api/openapi.json',
  /** Served in development only, so it is not part of the document. */
  page: '/api/docs',
} as const;
