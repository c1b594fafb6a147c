import type { AppServer } from '../../e2e/support/app-server.ts';
import { openPhone, type Phone } from '../../e2e/support/browser.ts';
import { signIn, untilInstalled } from '../../e2e/support/garden.ts';
import {
  addGardener,
  addPlants,
  type Credentials,
  manyPlants,
} from '../../gallery/support/gardeners.ts';

/** An account with so many plants. */
export async function addKeeper(server: AppServer, count: number): Promise<Credentials> {
  const gardener = await addGardener(server, `keeper of ${count}`);
  const plants = Array.from({ length: count }, (_, i) => ({
    ...manyPlants[i % manyPlants.length],
    nickname: `Plant ${i}`,
  }));
  await addPlants(server, gardener, plants);
  return gardener;
}

/** A phone whose account has so many plants, all of them on the device, the app installed. */
export async function phoneWith(
  server: AppServer,
  count: number,
  prepare: (phone: Phone) => Promise<void> = async () => undefined,
): Promise<Phone> {
  const gardener = await addKeeper(server, count);
  const phone = await openPhone(server.url);
  await prepare(phone);
  await signIn(phone.page, '/dashboard', gardener);
  await phone.page.getByRole('heading', { name: `(${count})` }).waitFor();
  await untilInstalled(phone.page);
  return phone;
}
