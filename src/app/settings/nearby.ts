/** Tells which servers are local: they cost nothing, and long prompts to them do no harm. */
import { BlockList, isIP } from 'node:net';

/** Loopback, private and link-local addresses (RFC 1122, 1918, 3927, 4193, 4291). */
const OWN = new BlockList();
OWN.addSubnet('127.0.0.0', 8, 'ipv4');
OWN.addSubnet('10.0.0.0', 8, 'ipv4');
OWN.addSubnet('172.16.0.0', 12, 'ipv4');
OWN.addSubnet('192.168.0.0', 16, 'ipv4');
OWN.addSubnet('169.254.0.0', 16, 'ipv4');
OWN.addAddress('::1', 'ipv6');
OWN.addSubnet('fc00::', 7, 'ipv6');
OWN.addSubnet('fe80::', 10, 'ipv6');

/**
 * Returns whether an address is on this machine or in a private network. Of host names, those without
 * a dot and those ending in `.local` count as near, and all others (`10.example.com`) as remote.
 */
export function isNearby(endpoint: string): boolean {
  const url = URL.parse(endpoint);
  if (url === null) return false;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return OWN.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
  return host !== '' && (!host.includes('.') || host.endsWith('.local'));
}
