import type { demo } from '../../e2e/support/screens/garden.ts';
import type { AppServer } from '../../e2e/support/server/app-server.ts';

export type Credentials = typeof demo;

const password = 'a-gallery-garden';

/** Creates a verified account and returns its credentials. */
export async function addGardener(server: AppServer, name: string): Promise<Credentials> {
  const email = `${name.toLowerCase().replaceAll(/\W+/g, '-').slice(0, 60)}@garden.org`;
  await post(server, '/auth/register', { username: name, email, password });
  await server.query('UPDATE users SET is_verified = true WHERE email = $1', [email]);
  return { email, password };
}

export async function addPlants(
  server: AppServer,
  { email, password }: Credentials,
  plants: readonly object[],
): Promise<void> {
  const login = { username_or_email: email, password };
  const { access_token } = (await post(server, '/auth/login', login)) as { access_token: string };
  for (const plant of plants) await post(server, '/api/plants', plant, access_token);
}

async function post(server: AppServer, path: string, body: object, token?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const species = ['Monstera', 'Snake Plant', 'Pothos', 'Aloe Vera', 'Peace Lily', 'Olive'];

export const manyPlants = Array.from({ length: 300 }, (_, i) => ({
  nickname: `Plant ${i + 1}`,
  plant_name: species[i % species.length] ?? '',
  species: species[i % species.length] ?? '',
  category: i % 3 === 0 ? 'Outdoor' : 'Indoor',
  watering_frequency: 1 + (i % 14),
}));

export const plantWithLongTexts = {
  nickname:
    'Donaudampfschifffahrtsgesellschaftskapitänspalme of the second floor, left of the sofa',
  plant_name: 'Wonderfully variegated mini-monstera (Rhaphidophora tetrasperma variegata aurea)',
  species: 'Rhaphidophora-tetrasperma-variegata-aurea-cultivated-in-northern-greenhouses',
  location: 'Conservatory behind the library, third shelf from the top, next to the window',
  description: `${'Turn it by a quarter every Sunday. '.repeat(20)}\n\nhttps://example.org/${'leaf/'.repeat(30)}`,
  watering_frequency: 365,
  device_id: 'greenhouse-north-shelf-three-sensor-0000000000000000000000042',
  auto_watering_enabled: true,
};
