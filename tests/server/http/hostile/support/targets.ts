import type { Random } from '../../../../support/seeded.ts';
import { hostileText } from './values.ts';

const oddIds = ['0', '-1', 'null', 'undefined', '%00', '%', '%zz', '%F0%9F', '..', '%2e%2e%2f', '*']
  .concat(['a'.repeat(300), 'x'.repeat(5_000), '01890000-0000-7000-8000-000000000000', ':id'])
  .concat(['01890000000070008000000000000000', '{01890000-0000-7000-8000-000000000000}', '%20']);

const queryNames = ['amount', 'watered_at', 'limit', 'from', 'to', 'token', '__proto__', 'limit[]']
  .concat(['from[$gt]', '', 'constructor', 'x'])
  .concat(['before', 'plants', 'plant_id', 'entry_id', 'taken_at', 'size']);

/** A valid path, but possibly for another account's plant. */
export function plainTarget(path: string, ids: readonly string[], random: Random): string {
  return path.replaceAll(/:[a-z]+/gi, () => random.pick(ids)).replace(/^\*/, '/index.html');
}

/** The path of a route with ids of any account, unknown or malformed ids, and often an unexpected query. */
export function hostileTarget(path: string, ids: readonly string[], random: Random): string {
  const filled = (path.startsWith('/') ? path : `/${path}`)
    .replaceAll(/:[a-z]+/gi, () =>
      random.chance(0.7)
        ? random.pick(ids)
        : random.chance(0.5)
          ? random.pick(oddIds)
          : encode(hostileText(random)),
    )
    .replace('*', () =>
      random.pick(['index.html', '../server/main.js', '%2e%2e/%2e%2e/package.json']),
    );
  const target = `${filled}${random.chance(0.5) ? `?${hostileQuery(random)}` : ''}`;
  return random.chance(0.05) ? random.pick(otherForms(target)) : target;
}

function hostileQuery(random: Random): string {
  if (random.chance(0.1))
    return random.pick(['%', '%00', '&&&', '=', 'a=%E0%A4%A', '?'.repeat(99)]);
  return Array.from({ length: 1 + random.below(3) }, () => {
    const value = random.chance(0.3)
      ? random.pick(['1', '1000', '1e309', '-0', 'NaN', '5'])
      : hostileText(random);
    return `${random.pick(queryNames)}=${encode(value)}`;
  }).join('&');
}

/** Escapes what a URL cannot contain, and cuts the result: the head of a request may be 16 KiB long. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).slice(0, 9_000);
}

function otherForms(target: string): string[] {
  return [
    `http://evil.example${target}`,
    '*',
    `/${target}`,
    `${target}/`,
    `${target};x=y`,
    `/..${target}`,
    target.toUpperCase(),
    `${target}#fragment`,
    `${target}\xff\xfe`,
    target.replace('/', '\\'),
    'api/plants',
    `${target}${'/x'.repeat(5_000)}`,
  ];
}
