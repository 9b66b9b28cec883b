/** Parses addresses of web pages that a person names, and derives the names by which their text is cited. */
import { createHash } from 'node:crypto';
import { RefusedFileError } from '../io/decoding/refused.ts';
import { isSecretName, Secrets } from '../io/secrets.ts';
import type { Env } from '../io/surroundings.ts';
import { toLine } from '../text/line.ts';

/** Minimum length of a parameter value to count as a credential. `?key=title` has none. */
const SHORTEST_CREDENTIAL = 8;
/** Maximum characters of a name, and how many of a longer name are kept before its digest. */
const LONGEST_NAME = 160;
const KEPT_OF_LONG = 120;
/** The replacement for a credential. */
const CONCEALED = '[key]';

const SAVE = 'Save the page without it, and attach the file.';

/**
 * Parses the address of a web page. The fragment (`#…`) is dropped, because servers do not receive
 * it.
 *
 * @throws RefusedFileError if the text is no address, its scheme is neither http nor https, or the address
 *   contains credentials, which the message then does not repeat
 */
export function readAddress(word: string, env: Env): URL {
  const url = URL.parse(word);
  if (url === null)
    throw new RefusedFileError(
      concealBeforeAt(concealSecrets(word, env)),
      'not an address of the web',
    );
  const shown = showAddress(url, env);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new RefusedFileError(
      concealBeforeAt(shown),
      `${url.protocol.slice(0, -1)} is not read, only http and https`,
    );
  const why = whyCredentials(url, env);
  if (why !== undefined) throw new RefusedFileError(shown, why, SAVE);
  url.hash = '';
  return url;
}

/**
 * Replaces what stands before an `@` in a mistyped address, because it may be a user name with a password:
 * `http//me:secret@example.com` → `http//[key]@example.com`.
 */
function concealBeforeAt(address: string): string {
  return address.replace(/[^\s/@]*:[^\s/@]*@/g, `${CONCEALED}@`);
}

/** Returns why an address must not be recorded, or undefined if it contains no credentials. */
function whyCredentials(url: URL, env: Env): string | undefined {
  if (url.username !== '' || url.password !== '')
    return 'it has a user name or a password before the @; credentials are neither sent nor recorded';
  const parameter = [...url.searchParams].find(isCredential)?.[0];
  if (parameter !== undefined)
    return `its parameter ${toLine(parameter)} looks like a credential; credentials are neither sent nor recorded`;
  return new Secrets(env).find(url.href).length > 0
    ? 'it holds what looks like a credential; credentials are neither sent nor recorded'
    : undefined;
}

/**
 * Formats an address for people and for the record: without its fragment, and with credentials
 * replaced.
 */
export function showAddress(url: URL, env: Env): string {
  const shown = new URL(url);
  shown.hash = '';
  shown.username = '';
  shown.password = '';
  for (const [name, value] of [...shown.searchParams])
    if (isCredential([name, value])) shown.searchParams.set(name, CONCEALED);
  return concealSecrets(shown.href, env);
}

/**
 * Returns the name by which a page is cited: `example.com/page` for `https://example.com/page`. The name
 * is also valid as a file's path. For this, `index` is added after a final slash, special characters
 * are replaced, and a long name is shortened.
 */
export function nameOfPage(url: URL): string {
  const path = url.pathname.endsWith('/') ? `${url.pathname}index` : url.pathname;
  const port = url.port === '' ? '' : `-${url.port}`;
  const host = url.hostname.replace(/^\[|\]$/g, '').replaceAll(':', '-');
  const name = `${host}${port}${path}${url.search.replace('?', '~')}`
    // Encode characters that citations or file names cannot contain.
    .replace(/[\s"'`()[\]<>{}|\\^*?:,;#]/g, (char) => encodeCharacter(char))
    .replace(/\/{2,}/g, '/');
  if (name.length <= LONGEST_NAME) return name;
  const digest = createHash('sha256').update(url.href).digest('hex').slice(0, 8);
  return `${name.slice(0, KEPT_OF_LONG)}~${digest}`;
}

function encodeCharacter(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function isCredential([name, value]: readonly [string, string]): boolean {
  return value.length >= SHORTEST_CREDENTIAL && isSecretName(name);
}

function concealSecrets(text: string, env: Env): string {
  return new Secrets(env).conceal(toLine(text));
}
