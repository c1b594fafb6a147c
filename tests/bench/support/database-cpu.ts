import fs from 'node:fs';
import type pg from 'pg';

/** Ticks are 10 ms on every Linux that Node runs on. */
const tickMs = 10;

/**
 * CPU ms so far of the processes that serve a database's connections; 0 where they cannot be seen, i.e. on another
 * system than Linux or on another machine.
 */
export async function databaseCpuMs(admin: pg.Client, database: string): Promise<number> {
  const { rows } = await admin.query<{ pid: number }>({
    name: 'backends',
    text: 'SELECT pid FROM pg_stat_activity WHERE datname = $1',
    values: [database],
  });
  return rows.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
}

function cpuMsOf(pid: number): number {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return 0;
  }
}
