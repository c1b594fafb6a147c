import net from 'node:net';

type Trust = false | string[] | ((address: string, hop: number) => boolean);

/**
 * Fastify's trustProxy option for the TRUST_PROXY setting. A number of proxies becomes a function, because Fastify
 * trusts no proxy if it is given a number. The operator must then make sure that every request passes through that many
 * proxies.
 */
export function trustedProxies(trustProxy: number | string[]): Trust {
  if (typeof trustProxy !== 'number') return trustProxy;
  return trustProxy > 0 && ((_address, hop) => hop < trustProxy);
}

/**
 * The IP address that rate limits count: IPv4 unchanged, IPv4-mapped IPv6 as IPv4, other IPv6 as its /64, which one
 * household shares. A port, which some proxies add, is removed because it differs for each connection. A request whose
 * client has already reset the connection has no address, although Fastify declares one; all such requests count as of
 * one address.
 */
export function rateLimitAddress(ip: string | undefined): string {
  if (ip === undefined) return '';
  const [address = ''] = ip.replace(/^([\d.]+):\d+$|^\[(.+)\](:\d+)?$/, '$1$2').split('%');
  if (!net.isIPv6(address)) return address;
  const groups = ipv6Groups(address);
  const isIpv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isIpv4) return groups.slice(6).flatMap(bytesOf).join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight numbers of an IPv6 address in any notation. */
function ipv6Groups(address: string): number[] {
  const normalized = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = [], right = []] = normalized
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
    .map((half) => half.map((group) => Number.parseInt(group, 16)));
  const zeros = Array<number>(8 - left.length - right.length).fill(0);
  return [...left, ...zeros, ...right];
}

function bytesOf(group: number): number[] {
  return [group >> 8, group & 0xff];
}
