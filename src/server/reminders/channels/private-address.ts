import net from 'node:net';

/** IP ranges that are not on the public Internet, and the IPv6 ranges that embed IPv4 addresses. */
const ranges = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const;

/** One list for each IP version, because a common list would also match IPv4 addresses with the range ::ffff:0:0/96. */
const blocked = { ipv4: new net.BlockList(), ipv6: new net.BlockList() };
for (const [address, bits] of ranges) {
  const version = net.isIPv6(address) ? 'ipv6' : 'ipv4';
  blocked[version].addSubnet(address, bits, version);
}

/** Whether an IP address is in one of the ranges above. Also true for a text that is not an IP address. */
export function isPrivateAddress(address: string): boolean {
  const [ip = ''] = address.split('%');
  if (net.isIPv4(ip)) return blocked.ipv4.check(ip, 'ipv4');
  return !net.isIPv6(ip) || blocked.ipv6.check(ip, 'ipv6');
}
