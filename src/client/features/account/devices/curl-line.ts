/** A line for a shell that posts one soil reading as the device. */
export function curlLine(address: string, deviceId: string, secret: string): string {
  const reading = JSON.stringify({ device_id: deviceId, soil_humidity: 42 });
  return [
    `curl ${quoted(address)}`,
    `-H ${quoted(`Authorization: Bearer ${secret}`)}`,
    `-H ${quoted('Content-Type: application/json')}`,
    `-d ${quoted(reading)}`,
  ].join(' ');
}

/** Nothing within single quotes means anything to a shell but the single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
