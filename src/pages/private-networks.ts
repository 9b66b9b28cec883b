/** Distinguishes public IP addresses from those of this machine and of private networks. */
import { BlockList, isIP } from 'node:net';

/** IPv4 networks that cannot be reached over the internet, according to the registries of the IANA. */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** The IPv6 network of public addresses, and the networks within it that are not public. */
const INTERNET_6 = '2000::/3';
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
/** IPv6 networks whose last 32 bits are an IPv4 address. */
const WITH_VERSION_4 = ['::ffff:0:0/96', '64:ff9b::/96'];

const notPublic = listOf(NOT_PUBLIC, 'ipv4');
const internet6 = listOf([INTERNET_6], 'ipv6');
const notPublic6 = listOf(NOT_PUBLIC_6, 'ipv6');
const withVersion4 = listOf(WITH_VERSION_4, 'ipv6');

/**
 * Returns whether a text is a public IP address, written without brackets. False for private
 * addresses and for all other texts.
 */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  if (isIP(plain) === 4) return !notPublic.check(plain, 'ipv4');
  if (isIP(plain) !== 6) return false;
  if (withVersion4.check(plain, 'ipv6')) return isPublicAddress(lastFourBytes(plain));
  return internet6.check(plain, 'ipv6') && !notPublic6.check(plain, 'ipv6');
}

/** Returns the IPv4 address in the last four bytes: `10.0.0.1` for `::ffff:a00:1` and `::ffff:10.0.0.1`. */
function lastFourBytes(address: string): string {
  // `URL` writes the last four bytes of an IPv6 address as two hexadecimal groups, even if the address ends in
  // `10.0.0.1`. A group of zeros may be left out.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':');
  const [high = '0', low = '0'] = groups.slice(-2).map((group) => group || '0');
  const bytes = [high, low].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
