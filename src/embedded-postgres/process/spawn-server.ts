import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { type Account, runAs } from '../cluster/account.ts';
import { serverEnvironment } from './server-settings.ts';

/**
 * Descriptor 3 is held by this Node process alone. When it closes, because we let go or died in
 * whatever way, `read` ends and PostgreSQL gets SIGINT, its fast and clean shutdown. The shell
 * stays PostgreSQL's parent, so the number it signals cannot have become another process.
 * PostgreSQL starts before the trap, which it would inherit.
 */
const watchdog = `
umask 077
log=$1
shift
"$@" </dev/null >>"$log" 2>&1 3<&- &
server=$!
trap '' INT TERM HUP
( read -r nothing; kill -INT "$server" ) <&3 >/dev/null 2>&1 3<&- &
watcher=$!
echo "$server" >&3
wait "$server"
kill -KILL "$watcher" 2>/dev/null
`;

export interface ServerProcess {
  /** PostgreSQL's own process id, unknown for the first moments. */
  pid(): number | undefined;
  ended(): boolean;
  /** What the shell said before PostgreSQL could write to its log. */
  complaint(): string;
  /** PostgreSQL shuts down cleanly, in its own time. */
  letGo(): void;
}

export interface ServerCommand {
  program: string;
  args: string[];
  log: string;
  folder: string;
  account: Account | undefined;
  /** See pidReusedByAnother. */
  strangerPid: number | undefined;
}

export function spawnServer(command: ServerCommand): ServerProcess {
  const child = startShell(command);
  const seen = { ended: false, complaint: '', pid: '' };
  child.once('exit', () => {
    seen.ended = true;
  });
  child.once('error', ({ message }) => {
    Object.assign(seen, { ended: true, complaint: message });
  });
  const errors = listen(child.stdio[2], (text) => {
    seen.complaint += text;
  });
  const leash = listen(child.stdio[3], (text) => {
    seen.pid += text;
  });
  return {
    pid: () => (seen.pid.endsWith('\n') ? Number(seen.pid) : undefined),
    ended: () => seen.ended,
    complaint: () => seen.complaint.trim(),
    letGo: () => {
      leash?.destroy();
      errors?.destroy();
    },
  };
}

function startShell({ program, args, log, folder, account, strangerPid }: ServerCommand) {
  // PostgreSQL takes a lock file with its grandparent's number for a stale one.
  const stranger = strangerPid === undefined ? {} : { PG_GRANDPARENT_PID: `${strangerPid}` };
  const child = spawn('/bin/sh', ['-c', watchdog, 'sh', log, program, ...args], {
    ...runAs(account),
    cwd: folder,
    env: { ...serverEnvironment(), ...stranger },
    // A session of its own: Ctrl-C in the terminal stops us first, and we stop PostgreSQL.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  child.unref();
  return child;
}

/** Neither keeps this process alive nor lets a broken pipe end it. */
function listen(stream: unknown, take: (text: string) => void): Socket | undefined {
  if (!(stream instanceof Socket)) return undefined;
  stream.on('error', () => stream.destroy());
  stream.setEncoding('utf8').on('data', take);
  stream.unref();
  return stream;
}
