/**
 * How a page's server is connected to. What counts is the address of the machine that answers, not the name it
 * was found under: a name is looked up once, and the connection is made to an address of that answer, so that a
 * second answer of a name server is never asked for.
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
/** As `dns.lookup` with `all`. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The server of a page is on this machine or in a private network. */
export class PrivateAddress extends Error {
  readonly address: string;

  constructor(address: string) {
    super(`${address} is not a public address`);
    this.name = 'PrivateAddress';
    this.address = address;
  }
}

/** @throws PrivateAddress for a host that is written as an IP address which is not public */
export function refusePrivateHost({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddress(host);
}

/**
 * Refuses a host whose name leads to private addresses here. For requests through a proxy, which looks the name
 * up itself; a name that nobody here knows is left to the proxy.
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

/** Returns an agent whose connections lead to public addresses only, unless `allowPrivate`. */
export async function openAgent(
  allowPrivate: boolean,
  lookup: Lookup = systemLookup,
): Promise<Agent> {
  // It is CommonJS, of which the bundled program has no names but `default`.
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

/** Leaves out the private addresses of a name; a name that has no others is refused. */
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
