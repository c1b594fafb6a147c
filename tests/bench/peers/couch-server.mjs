// @ts-check
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * A server for PouchDB to replicate with: the HTTP interface of CouchDB, with everything in memory.
 * @returns {import('node:http').RequestListener}
 */
export function couchListener() {
  const PouchDB = require('pouchdb-core').plugin(require('pouchdb-adapter-memory'));
  const couch = require('express-pouchdb')(PouchDB, {
    mode: 'minimumForPouchDB',
    inMemoryConfig: true,
    logPath: '/dev/null',
  });
  return (request, response) => {
    request.url = request.url?.replace(/^\/db/, '');
    couch(request, response);
  };
}
