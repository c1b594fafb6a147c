import net from 'node:net';

type Trust = false | string[] | ((address: string, hop: number) => boolean);

/**
 * Whose forwarding headers Fastify believes. It takes no number of proxies any more: whoever gives one vouches that
 * the server cannot be reached past them.
 */
export function trustedProxies(trustProxy: number | string[]): Trust {
  if (typeof trustProxy !== 'number') return trustProxy;
  return trustProxy > 0 && ((_address, hop) => hop < trustProxy);
}

/** Whom an address stands for in a limit: an IPv4 address itself, an IPv6 address its /64, which is one household's. */
export function countedAddress(ip: string): string {
  const [address = ''] = ip.split('%');
  if (!net.isIPv6(address)) return address;
  const groups = groupsOf(address);
  const isIpv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isIpv4) return groups.slice(6).flatMap(bytesOf).join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight numbers of an IPv6 address, however it was shortened. */
function groupsOf(address: string): number[] {
  const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = [], right = []] = spelled
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
    .map((half) => half.map((group) => Number.parseInt(group, 16)));
  const zeros = Array<number>(8 - left.length - right.length).fill(0);
  return [...left, ...zeros, ...right];
}

function bytesOf(group: number): number[] {
  return [group >> 8, group & 0xff];
}
