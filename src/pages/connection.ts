/**
 * Connects to the server of a page. The IP address of the machine decides whether a connection is allowed,
 * not its name: a name is looked up once, and the connection is made to an address from that answer, so
 * that a name server cannot give a second, different answer.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import type { Agent } from 'undici';
import { isPublicAddress } from './private-networks.ts';

type Callback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;
/**
 * A function that looks up the IP addresses of a host name, as `dns.lookup` does with `all: true`.
 */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Thrown if a page's server is on this machine or in a private network. */
export class PrivateAddress extends Error {
  readonly address: string;

  constructor(address: string) {
    super(`${address} is not a public address`);
    this.name = 'PrivateAddress';
    this.address = address;
  }
}

/**
 * Refuses a URL whose host is a private IP address. Host names are accepted.
 *
 * @throws PrivateAddress
 */
export function refusePrivateHost({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddress(host);
}

/**
 * Looks up a URL's host name and refuses private addresses. A name that is unknown on this machine is
 * accepted. This check is for requests through a proxy: the proxy looks the name up again by itself.
 *
 * @throws PrivateAddress
 */
export async function refusePrivateName({ hostname }: URL, lookup: Lookup): Promise<void> {
  const addresses = await new Promise<readonly LookupAddress[]>((resolve) =>
    lookup(hostname, { all: true }, (error, found) => resolve(error === null ? found : [])),
  );
  const bad = addresses.find(({ address }) => !isPublicAddress(address));
  if (bad !== undefined) throw new PrivateAddress(bad.address);
}

/**
 * Creates an HTTP agent that connects only to public addresses, or to any address if `allowPrivate`
 * is true.
 */
export async function openAgent(
  allowPrivate: boolean,
  lookup: Lookup = systemLookup,
): Promise<Agent> {
  // undici is CommonJS: the bundled program can import only its `default`.
  const { Agent: AgentClass, buildConnector } = (await import('undici')).default;
  const connect = buildConnector({
    lookup: allowPrivate ? (lookup as never) : (publicOnly(lookup) as never),
  });
  return new AgentClass({
    connect: (options, done) =>
      connect(options, (...[error, socket]) => {
        if (error !== null || socket === null) return done(error ?? new Error('no socket'), null);
        const address = socket.remoteAddress;
        if (allowPrivate || (address !== undefined && isPublicAddress(address)))
          return done(null, socket);
        socket.destroy();
        done(new PrivateAddress(address ?? 'it'), null);
      }),
    pipelining: 0,
  });
}

/** Wraps a lookup so that it returns public addresses only, and fails for a name that has none. */
function publicOnly(lookup: Lookup) {
  return (hostname: string, options: LookupOptions, done: Callback): void =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, []);
      const [first, ...others] = found.filter(({ address }) => isPublicAddress(address));
      if (first === undefined) return done(new PrivateAddress(found[0]?.address ?? hostname), []);
      if (options.all === true) return done(null, [first, ...others]);
      done(null, first.address, first.family);
    });
}
