// @ts-check
import { spawnSync } from 'node:child_process';

// Fails on known vulnerabilities of high or critical severity in the installed packages. A registry that cannot be
// reached or does not offer audits is reported, but does not fail the run.
const { stdout, error } = spawnSync('npm', ['audit', '--audit-level=high', '--json'], {
  encoding: 'utf8',
  timeout: 120_000,
  maxBuffer: 64 * 1024 * 1024,
});
const report = parse(stdout ?? '');
const counts = report?.metadata?.vulnerabilities;
if (counts) {
  const { critical = 0, high = 0, moderate = 0, low = 0 } = counts;
  const found = `${critical} critical, ${high} high, ${moderate} moderate, ${low} low`;
  console.log(`Audit of the installed packages: ${found}`);
  for (const { name, severity, range } of Object.values(report.vulnerabilities ?? {})) {
    if (['high', 'critical'].includes(severity)) console.log(`  ${severity}: ${name} ${range}`);
  }
  process.exitCode = critical + high > 0 ? 1 : 0;
} else {
  const reason = unavailableReason();
  console.log(
    reason
      ? `Audit skipped: the registry is not available (${reason})`
      : `Audit failed: ${(report?.message ?? stdout ?? error?.message ?? '').slice(0, 500)}`,
  );
  process.exitCode = reason ? 0 : 1;
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A timeout, an HTTP error or a network error; undefined for an error of npm itself, which is a failure. */
function unavailableReason() {
  if (/** @type {NodeJS.ErrnoException | undefined} */ (error)?.code === 'ETIMEDOUT')
    return 'timeout';
  if (report?.statusCode >= 400) return `status ${report.statusCode}`;
  const code = `${report?.error?.code ?? ''} ${report?.message ?? ''}`;
  return /\b(ENOTFOUND|EAI_AGAIN|ECONN[A-Z]+|ETIMEDOUT|E[A-Z]*TIMEOUT|ENETUNREACH|EHOSTUNREACH|ENOAUDIT|network)\b/i.exec(
    code,
  )?.[0];
}
