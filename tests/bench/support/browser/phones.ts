import { openPhone, type Phone } from '../../../e2e/support/phone/browser.ts';
import { signIn, untilInstalled } from '../../../e2e/support/screens/garden.ts';
import type { AppServer } from '../../../e2e/support/server/app-server.ts';
import {
  addGardener,
  addPlants,
  type Credentials,
  manyPlants,
} from '../../../gallery/support/gardeners.ts';

/** Creates an account with `count` plants. */
export async function addKeeper(
  server: AppServer,
  count: number,
  name = `keeper of ${count}`,
): Promise<Credentials> {
  const gardener = await addGardener(server, name);
  const plants = Array.from({ length: count }, (_, i) => ({
    ...manyPlants[i % manyPlants.length],
    nickname: `Plant ${i}`,
  }));
  await addPlants(server, gardener, plants);
  return gardener;
}

/** Like `addKeeper`, but fast for thousands of plants: the server creates one, SQL copies it for the others. */
export async function addCopier(
  server: AppServer,
  count: number,
  name = `copier of ${count}`,
): Promise<Credentials> {
  const gardener = await addGardener(server, name);
  await addPlants(server, gardener, [{ ...manyPlants[0], nickname: 'Plant 0' }]);
  await server.query(
    `INSERT INTO plants SELECT copy.* FROM users u JOIN plants p ON p.user_id = u.id,
      generate_series(1, $2::int) n, jsonb_populate_record(p, jsonb_build_object(
        'id', gen_random_uuid(), 'nickname', 'Plant ' || n,
        'date_added', p.date_added + n * interval '1 ms')) copy
    WHERE u.email = $1`,
    [gardener.email, count - 1],
  );
  return gardener;
}

/** A phone with the app installed, whose account has `count` plants, all of them stored on the device. */
export async function phoneWith(
  server: AppServer,
  count: number,
  prepare: (phone: Phone) => Promise<void> = async () => undefined,
): Promise<Phone> {
  return phoneOf(server, await addKeeper(server, count), count, prepare);
}

/** A phone of an existing account. */
export async function phoneOf(
  server: AppServer,
  keeper: Credentials,
  count: number,
  prepare: (phone: Phone) => Promise<void> = async () => undefined,
): Promise<Phone> {
  const phone = await openPhone(server.url);
  await prepare(phone);
  await signIn(phone.page, '/dashboard', keeper);
  await phone.page.getByRole('heading', { name: `(${count})` }).waitFor({ timeout: 120_000 });
  await untilInstalled(phone.page);
  return phone;
}
