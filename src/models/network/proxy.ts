/**
 * Finds the proxy of a request by the variables that curl reads: `https_proxy`, `http_proxy`, `all_proxy`
 * and `no_proxy`, each in lower or upper case. Requests to this machine never use a proxy.
 */
import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../kernel/providers/servers.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A proxy, and the environment variable that names it. */
export interface NamedProxy {
  /** The proxy's address, with credentials if it has any. */
  readonly url: string;
  /** The name of the environment variable. */
  readonly variable: string;
}

/** The variables that may name a proxy. Their addresses may contain a password. */
export const PROXY_VARIABLES = ['https_proxy', 'http_proxy', 'all_proxy'].flatMap((name) => [
  name,
  name.toUpperCase(),
]);

/** Returns the proxy for an address; undefined if none is used. */
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
  // As in curl, a proxy without a scheme is reached by HTTP.
  return { variable, url: /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}` };
}

/**
 * Returns whether a list of exceptions includes a host: `*`, a domain and its subdomains, an address, a
 * network, or a port.
 */
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

/** Splits `example.com:8443` into host and port; an IPv6 address with a port is in brackets. */
function splitPort(entry: string): readonly (string | undefined)[] {
  return (
    /^\[([^\]]*)\](?::(\d+))?$/.exec(entry) ??
    (isIP(entry.split('/')[0] ?? '') === 6
      ? [entry, entry]
      : /^([^:]*)(?::(\d+))?$/.exec(entry)) ?? [entry, entry]
  );
}

/** Returns whether an address equals the entry or is in its network: `10.0.0.0/8`. */
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
