const systemCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);
/** PostgreSQL: connection exceptions (08), shutdown and start-up (57P01–57P03), too many connections, disk full. */
const sqlStates = /^(08...|57P0[123]|53300|53100)$/;
/** The last one: the server is closing and the client has gone before its answer. */
const driverTexts =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end)/;

const canceled = '57014';

/** Whether the database cancelled a query because it ran longer than the statement timeout. */
export function tookTooLong(error: unknown): boolean {
  return withCauses(error).some((e) => codeOf(e) === canceled);
}

/** Whether a query failed because the database is unreachable or full, not because of the query itself. */
export function isConnectionLost(error: unknown): boolean {
  return withCauses(error).some((e) => {
    const code = codeOf(e);
    return systemCodes.has(code) || sqlStates.test(code) || driverTexts.test(e.message);
  });
}

function withCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...withCauses(error.cause)] : [];
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
