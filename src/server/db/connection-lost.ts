const systemCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);
/** PostgreSQL: connection exceptions (08), shutdown and start-up (57P01–57P03), too many connections, disk full. */
const sqlStates = /^(08...|57P0[123]|53300|53100)$/;
const driverTexts =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

const canceled = '57014';

/** Whether the database gave a query up because it took longer than one may. */
export function tookTooLong(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && e.code === canceled) return true;
  }
  return false;
}

/** Whether a query failed because the database is away or full for now, not because the query is wrong. */
export function isConnectionLost(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e ? String(e.code) : '';
    if (systemCodes.has(code) || sqlStates.test(code) || driverTexts.test(e.message)) return true;
  }
  return false;
}
