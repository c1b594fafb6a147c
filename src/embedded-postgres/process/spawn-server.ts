import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { runAs, type SystemUser } from '../cluster/system-user.ts';
import { serverEnvironment } from './server-settings.ts';

/**
 * Only this Node process holds the other end of descriptor 3. That end closes when release() is called or the process
 * ends in any way, including kill -9. Then `read` returns and PostgreSQL gets SIGINT, which requests a fast and clean
 * shutdown. The shell stays PostgreSQL's parent, so the pid that it signals cannot have been reused. PostgreSQL is
 * started before the trap, because a child process inherits ignored signals. A process that a shell starts in the
 * background ignores SIGINT until it handles it, so PostgreSQL misses one that comes while it begins to start. The
 * signal is therefore repeated until PostgreSQL has ended. A PostgreSQL that is shutting down ignores it.
 */
const watchdog = `
umask 077
log=$1
shift
"$@" </dev/null >>"$log" 2>&1 3<&- &
server=$!
trap '' INT TERM HUP PIPE
( read -r nothing; while kill -INT "$server"; do sleep 1; done ) <&3 >/dev/null 2>&1 3<&- &
watcher=$!
echo "$server" >&3
wait "$server"
kill -KILL "$watcher" 2>/dev/null
`;

export interface ServerProcess {
  /** PostgreSQL's process id; undefined until the shell has reported it. */
  pid(): number | undefined;
  ended(): boolean;
  /** What the shell wrote to stderr before PostgreSQL could write to its log. */
  shellError(): string;
  /** Makes PostgreSQL shut down cleanly; does not wait for it. */
  release(): void;
}

export interface ServerCommand {
  program: string;
  args: string[];
  log: string;
  folder: string;
  user: SystemUser | undefined;
  /** See pidReusedByAnother. */
  reusedPid: number | undefined;
}

export function spawnServer(command: ServerCommand): ServerProcess {
  const child = startShell(command);
  const state = { ended: false, shellError: '', pid: '' };
  child.once('exit', () => {
    state.ended = true;
  });
  child.once('error', ({ message }) => {
    Object.assign(state, { ended: true, shellError: message });
  });
  const errors = listen(child.stdio[2], (text) => {
    state.shellError += text;
  });
  const lifeline = listen(child.stdio[3], (text) => {
    state.pid += text;
  });
  return {
    pid: () => (state.pid.endsWith('\n') ? Number(state.pid) : undefined),
    ended: () => state.ended,
    shellError: () => state.shellError.trim(),
    release: () => {
      lifeline?.destroy();
      errors?.destroy();
    },
  };
}

function startShell({ program, args, log, folder, user, reusedPid }: ServerCommand) {
  // PostgreSQL treats a lock file as stale if it contains the pid in PG_GRANDPARENT_PID.
  const grandparent = reusedPid === undefined ? {} : { PG_GRANDPARENT_PID: `${reusedPid}` };
  const child = spawn('/bin/sh', ['-c', watchdog, 'sh', log, program, ...args], {
    ...runAs(user),
    cwd: folder,
    env: { ...serverEnvironment(), ...grandparent },
    // A process session of its own, so that Ctrl-C reaches only this process, which then stops PostgreSQL.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  child.unref();
  return child;
}

/** Reads a pipe without keeping this process alive, and without failing if the pipe breaks. */
function listen(stream: unknown, onText: (text: string) => void): Socket | undefined {
  if (!(stream instanceof Socket)) return undefined;
  stream.on('error', () => stream.destroy());
  stream.setEncoding('utf8').on('data', onText);
  stream.unref();
  return stream;
}
