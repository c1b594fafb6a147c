import fs from 'node:fs';
import type pg from 'pg';

/** Ticks are 10 ms on every Linux that Node runs on. */
const tickMs = 10;

/**
 * Returns a counter of the CPU ms of a database's backend processes. What an earlier call counted stays in the sum
 * after a process has ended. The sum is 0 if /proc does not contain the processes, e.g. because PostgreSQL is on
 * another machine.
 */
export function databaseCpu(admin: pg.Client, database: string): () => Promise<number> {
  const seen = new Map<number, number>();
  let totalMs = 0;
  return async () => {
    const { rows } = await admin.query<{ pid: number }>({
      name: 'backends',
      text: 'SELECT pid FROM pg_stat_activity WHERE datname = $1',
      values: [database],
    });
    for (const { pid } of rows) {
      const ms = cpuMsOf(pid);
      totalMs += Math.max(0, ms - (seen.get(pid) ?? 0));
      seen.set(pid, ms);
    }
    return totalMs;
  };
}

function cpuMsOf(pid: number): number {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in brackets, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return 0;
  }
}
