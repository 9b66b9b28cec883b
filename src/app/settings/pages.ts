/** Fetches web pages that a person names as documents, once for each command. */
import type { DocumentInput } from '../../documents/given.ts';
import type { PageAnswer } from '../../pages/fetch-page.ts';
import { type FetchedPage, isAddress } from '../../text/documents/attachment.ts';
import type { Invocation } from '../invocation.ts';

type Call = Pick<Invocation, 'env' | 'flags' | 'err'>;

/** A fetched web page, and what is recorded of it. */
export interface ReadPage {
  /** The name by which the page's text is cited. */
  readonly name: string;
  /** The content, from which the text is read. */
  readonly given: DocumentInput;
  /** The record of the page: address, time and status. */
  readonly page: FetchedPage;
}

/**
 * The fetched pages by environment and address. The home screen and its run share an environment,
 * so that the run reads the page that the home screen showed.
 */
const fetched = new WeakMap<Call['env'], Map<string, Promise<PageAnswer>>>();

/**
 * Fetches a web page. A page that was fetched before for the same `env` object, which the home screen
 * and its run share, is returned from memory.
 *
 * @param word the address, as the person wrote it
 * @param anew whether to fetch the page even if it is in memory
 * @throws RefusedFileError if the address is not allowed or the page cannot be read
 */
export async function readPage(call: Call, word: string, anew = false): Promise<ReadPage> {
  const { env, flags, err } = call;
  const { nameOfPage, readAddress } = await import('../../pages/address.ts');
  const url = readAddress(word, env);
  const known = fetched.get(env) ?? new Map<string, Promise<PageAnswer>>();
  fetched.set(env, known);
  let asking = anew ? undefined : known.get(url.href);
  if (asking === undefined) {
    const { fetchPage } = await import('../../pages/fetch-page.ts');
    asking = fetchPage(word, { env, allowPrivate: flags.allowPrivate });
    known.set(url.href, asking);
    asking.catch(() => known.delete(url.href));
    const { redirects } = await asking;
    if (!flags.quiet && redirects.length > 0)
      err.write(`${url.href} redirects to ${redirects.join(', then to ')}\n`);
  }
  const { address, at, status, redirects, from, bytes, mediaType } = await asking;
  return {
    name: nameOfPage(url),
    given: { name: from, bytes, mediaType, address: from, encoding: flags.encoding },
    page: { address, at, status, redirects: [...redirects] },
  };
}

/**
 * Returns a hint if a word that names no file looks like an address without `https://`; otherwise
 * undefined.
 */
export function hintOfScheme(word: string): string | undefined {
  const isHost = /^(?:[a-z0-9-]+\.)+[a-z]{2,24}(?::\d+)?(?:[/?].*)?$/i.test(word);
  return isHost && !isAddress(word) && !FILE_NAME.test(word)
    ? `For a web page, write https://${word}`
    : undefined;
}

/** A name that ends as documents and texts do: it is a mistyped file rather than a host. */
const FILE_NAME =
  /^[^/?]+\.(?:md|markdown|txt|rst|pdf|docx?|xlsx?|pptx?|odt|ods|odp|html?|csv|json|ya?ml|toml|[jt]sx?|py|rs|go|java|sh)$/i;
