/**
 * Which proxy a request goes through, by the variables that curl reads: `https_proxy`, `http_proxy`,
 * `all_proxy` and `no_proxy`, each in small letters or capitals. This machine is never asked through a proxy.
 */
import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../kernel/providers/servers.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface NamedProxy {
  /** Its address, credentials included. */
  readonly url: string;
  /** The variable that names it. */
  readonly variable: string;
}

/** Variables that may name a proxy. Their addresses may hold a password. */
export const PROXY_VARIABLES = ['https_proxy', 'http_proxy', 'all_proxy'].flatMap((name) => [
  name,
  name.toUpperCase(),
]);

/** Returns the proxy for an address; undefined where it is asked directly. */
export function findProxy(address: string, env: Env): NamedProxy | undefined {
  const url = URL.parse(address);
  if (url === null || isLoopback(address)) return undefined;
  const scheme = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const variable = [scheme, scheme.toUpperCase(), 'all_proxy', 'ALL_PROXY'].find(
    (name) => env[name],
  );
  if (variable === undefined || isExcepted(url, env.no_proxy || env.NO_PROXY || ''))
    return undefined;
  const proxy = env[variable] ?? '';
  // As curl has it: a proxy without a scheme speaks HTTP.
  return { variable, url: /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}` };
}

/** Whether a list of exceptions names a host: `*`, a domain with what is below it, an address, a network, a port. */
function isExcepted(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', itsPort] = splitPort(entry);
      if (itsPort !== undefined && itsPort !== port) return false;
      if (isIP(host) !== 0) return isWithin(host, name);
      const domain = name
        .toLowerCase()
        .replace(/^\*?\./, '')
        .replace(/\.$/, '');
      return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
    });
}

/** `example.com:8443` → the name and the port; an IPv6 address has its port behind brackets. */
function splitPort(entry: string): readonly (string | undefined)[] {
  return (
    /^\[([^\]]*)\](?::(\d+))?$/.exec(entry) ??
    (isIP(entry.split('/')[0] ?? '') === 6
      ? [entry, entry]
      : /^([^:]*)(?::(\d+))?$/.exec(entry)) ?? [entry, entry]
  );
}

/** Whether an address is another one, or in a network: `10.0.0.0/8`. */
function isWithin(host: string, entry: string): boolean {
  const [network = '', bits] = entry.split('/');
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(network) !== isIP(host)) return false;
  const most = family === 'ipv6' ? 128 : 32;
  const prefix = bits === undefined ? most : Number(bits);
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > most) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return list.check(host, family);
}
