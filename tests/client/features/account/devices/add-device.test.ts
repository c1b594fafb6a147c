import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlCommand } from '#client/features/account/devices/add-device.tsx';

/** The arguments that a shell passes to curl for this command. */
function argumentsOf(line: string): string[] {
  const stand = `curl() { printf '%s\\0' "$@"; }\n${line}`;
  return execFileSync('sh', ['-c', stand], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test.each(['pot-1', "Rose's pot", '$(touch x) `y` "z" \\ ! *'])(
  'the curl command sends the device id %s unchanged, even if it contains shell syntax',
  (deviceId) => {
    const line = curlCommand('https://garden.example/api/logs', deviceId, 'sprig_x');
    const [address, , secret, , type, , reading] = argumentsOf(line);
    expect(address).toBe('https://garden.example/api/logs');
    expect(secret).toBe('Authorization: Bearer sprig_x');
    expect(type).toBe('Content-Type: application/json');
    expect(JSON.parse(reading ?? '')).toEqual({ device_id: deviceId, soil_humidity: 42 });
  },
);
