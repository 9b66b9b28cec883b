/**
 * Follows redirects only within one origin. `fetch` itself would send the whole prompt to any host that a
 * 307 names, and would turn the request into a GET for a 302.
 */
import { type Failure, ProviderFailure, type ServerDescription } from './failure.ts';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Statuses that keep method and body. */
const FAITHFUL: ReadonlySet<number> = new Set([307, 308]);
/**
 * The most redirects of one request. A trailing slash and another version of the path explain two; more are
 * a loop.
 */
const MOST = 5;

/**
 * Sends one request and follows redirects to the same origin (scheme, host and port). `onHop` is
 * called before each redirect.
 * @throws ProviderFailure for a redirect to another origin or to no address, for a redirect after which
 * the request cannot be sent again unchanged, and for a sixth redirect; otherwise what `fetch` throws
 */
export async function fetchWithinOrigin(
  about: ServerDescription,
  fetch: typeof globalThis.fetch,
  input: string | URL | Request,
  init: RequestInit,
  onHop: () => void,
): Promise<Response> {
  const request = input instanceof Request ? input : undefined;
  const home = new URL(request?.url ?? String(input));
  let url = home;
  const asks = (init.method ?? request?.method ?? 'GET').toUpperCase() === 'GET';
  // The body of a Request object or a stream can be read only once.
  const canRepeat = request === undefined && (init.body == null || typeof init.body === 'string');
  let response = await fetch(input, { ...init, redirect: 'manual' });
  for (let hops = 1; REDIRECTS.has(response.status); hops++) {
    const { status } = response;
    const location = response.headers.get('location');
    await response.body?.cancel();
    if (hops > MOST)
      throw makeRedirectFailure(about, `redirects more than ${MOST} times`, undefined);
    const target = location !== null && URL.parse(location, url.href);
    if (!target)
      throw makeRedirectFailure(about, `redirects to nowhere (HTTP ${status})`, undefined);
    if (target.origin !== home.origin) throw otherOriginError(about, target, status);
    if (!canRepeat || !(asks || FAITHFUL.has(status)))
      throw makeRedirectFailure(about, `redirects to ${target.pathname} (HTTP ${status})`, target);
    // Remove a user name and password from the address to which the server redirects, since `fetch` refuses
    // addresses that contain them. The comparison of origins above ignores them.
    target.username = '';
    target.password = '';
    url = target;
    onHop();
    response = await fetch(url, { ...init, redirect: 'manual' });
  }
  return response;
}

function otherOriginError(about: ServerDescription, target: URL, status: number): ProviderFailure {
  // An address such as `file:` or `data:` has no origin, so the message names its scheme instead.
  const isWeb = target.protocol === 'http:' || target.protocol === 'https:';
  const where = isWeb ? target.origin : `${target.protocol} address`;
  const failure: Failure = {
    code: 'redirected',
    message: `${about.name}: ${about.endpoint} redirects to another server, ${where} (HTTP ${status}); nothing was sent there`,
    next: isWeb
      ? `If you trust ${where}, set ${about.variable} to it`
      : `Check that ${about.endpoint} is the right address`,
    retry: false,
  };
  return new ProviderFailure(failure);
}

function makeRedirectFailure(
  about: ServerDescription,
  does: string,
  target: URL | undefined,
): ProviderFailure {
  return new ProviderFailure({
    code: 'redirected',
    message: `${about.name}: ${about.endpoint} ${does}; the request was not sent again`,
    next: target
      ? `Set ${about.variable} to the address it redirects to`
      : `Check that ${about.endpoint} is the right address`,
    retry: false,
  });
}
