/** Which servers are one's own: nobody is paid there, and long prompts harm nobody. */
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
 * This machine, or one whose address leads nowhere from outside. Whatever is no address of such a kind
 * is somebody else's, also a name that only begins like one: `10.example.com`.
 */
export function isNearby(endpoint: string): boolean {
  const url = URL.parse(endpoint);
  if (url === null) return false;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return OWN.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
  // A name without a dot is looked up around here only.
  return host !== '' && (!host.includes('.') || host.endsWith('.local'));
}
