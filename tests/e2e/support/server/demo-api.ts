import { demo } from '../screens/garden.ts';
import type { AppServer } from './app-server.ts';

interface ResponseBody {
  access_token: string;
  id: string;
}

/**
 * Sends a request as another device of the demo account. A change that a test writes directly into the database would
 * not be in a delta, because only the server's own writes increment the change counter.
 */
export async function requestAsDemo(
  server: AppServer,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<ResponseBody> {
  const send = async (verb: string, where: string, what?: object, authorization = '') => {
    const headers = { ...(what && { 'content-type': 'application/json' }), authorization };
    const response = await fetch(server.url + where, {
      method: verb,
      headers,
      body: what ? JSON.stringify(what) : null,
    });
    if (!response.ok) throw new Error(`${where}: ${response.status} ${await response.text()}`);
    return (await response.json()) as ResponseBody;
  };
  const account = { username_or_email: demo.email, password: demo.password };
  const { access_token } = await send('POST', '/auth/login', account);
  return send(method, path, body, `Bearer ${access_token}`);
}

export function postAsDemo(server: AppServer, path: string, body: object): Promise<ResponseBody> {
  return requestAsDemo(server, 'POST', path, body);
}
