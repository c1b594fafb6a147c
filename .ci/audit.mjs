// @ts-check
import { spawnSync } from 'node:child_process';

// Fails on findings of high or critical severity in what is installed; a registry that tells nothing is no finding.
const { stdout, error } = spawnSync('npm', ['audit', '--audit-level=high', '--json'], {
  encoding: 'utf8',
  timeout: 120_000,
  maxBuffer: 64 * 1024 * 1024,
});
const report = read(stdout ?? '');
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
  const reason = whyUnreachable();
  console.log(
    reason
      ? `Audit skipped: the registry does not answer it (${reason})`
      : `Audit failed: ${(report?.message ?? stdout ?? error?.message ?? '').slice(0, 500)}`,
  );
  process.exitCode = reason ? 0 : 1;
}

/** @param {string} text */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A timeout, an answer that is none, or a network that is none. What npm says of itself stays a failure. */
function whyUnreachable() {
  if (/** @type {NodeJS.ErrnoException | undefined} */ (error)?.code === 'ETIMEDOUT')
    return 'timeout';
  if (report?.statusCode >= 400) return `status ${report.statusCode}`;
  const code = `${report?.error?.code ?? ''} ${report?.message ?? ''}`;
  return /\b(ENOTFOUND|EAI_AGAIN|ECONN[A-Z]+|ETIMEDOUT|E[A-Z]*TIMEOUT|ENETUNREACH|EHOSTUNREACH|ENOAUDIT|network)\b/i.exec(
    code,
  )?.[0];
}
