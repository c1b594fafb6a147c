import { shellQuoted } from '#domain/text.ts';

/** The shell command that posts one soil reading as the device. */
export function curlCommand(address: string, deviceId: string, secret: string): string {
  const reading = JSON.stringify({ device_id: deviceId, soil_humidity: 42 });
  return [
    `curl ${shellQuoted(address)}`,
    `-H ${shellQuoted(`Authorization: Bearer ${secret}`)}`,
    `-H ${shellQuoted('Content-Type: application/json')}`,
    `-d ${shellQuoted(reading)}`,
  ].join(' ');
}
