import { socketPort } from './socket-folder.ts';

export const databaseRole = 'sprig';
export const databaseName = 'sprig';

/**
 * PostgreSQL's arguments, including settings for a machine with little memory. The settings are not in postgresql.conf,
 * so that a new version of the app can change them.
 */
export function serverArguments(data: string, socketFolder: string): string[] {
  const settings = {
    listen_addresses: '',
    port: socketPort,
    unix_socket_directories: `"${socketFolder}"`,
    unix_socket_permissions: '0700',
    shared_buffers: '48MB',
    max_connections: 60,
    // Limits how long recovery after a crash takes.
    max_wal_size: '256MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', data, ...options];
}

/** Does not inherit this process's environment, because PGPORT, PGDATA and others would change what is started. */
export function serverEnvironment(): Record<string, string> {
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C' };
}
