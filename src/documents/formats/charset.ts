/**
 * Decodes the bytes of a web page. The encoding comes from the byte order mark, the server's header or the
 * page's own declaration, in this order, as in browsers. Bytes that do not fit the encoding are refused and
 * not replaced.
 */
import { isUtf8 } from 'node:buffer';
import { decodeDocument } from '../../io/decoding/decode.ts';
import { findEncoding } from '../../io/decoding/encoding.ts';
import { RefusedFileError } from '../../io/decoding/refused.ts';
import { UnreadableError } from './input.ts';

/** How many leading bytes of a page are searched for its declaration of an encoding. */
const META_WITHIN = 4096;
/** The encoding that browsers assume if none is declared. */
const WESTERN = 'windows-1252';

interface DecodedPage {
  readonly text: string;
  /** The encoding of the bytes; undefined for UTF-8. */
  readonly encoding?: string | undefined;
  readonly notes: readonly string[];
}

/**
 * Decodes a web page.
 *
 * @param mediaType the server's `Content-Type`
 * @param named the encoding that a person names, for a page that declares none or a wrong one
 * @throws UnreadableError if the bytes do not fit the encoding
 */
export function decodePage(bytes: Uint8Array, mediaType = '', named?: string): DecodedPage {
  if (hasMark(bytes)) return { ...decodeAs(bytes, undefined), notes: [] };
  const [, served] = /charset\s*=\s*["']?([\w.:-]+)/i.exec(mediaType) ?? [];
  const head = Buffer.from(bytes.subarray(0, META_WITHIN)).toString('latin1');
  const [, meta, declared] =
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)|<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(
      head,
    ) ?? [];
  const bySaying = (meta ?? declared)?.replace(/^utf-?16.*$/i, 'utf-8');
  const [first, second] = [served, bySaying].map((name) =>
    name === undefined ? undefined : findEncoding(name),
  );
  const said = first ?? second;
  const notes: string[] = [];
  if (first !== undefined && second !== undefined && first !== second)
    notes.push(
      `its server says that it is ${first}, and the page says ${second}; it was read as ${first}`,
    );
  if (said === undefined && !isUtf8(bytes)) {
    if (named !== undefined) return { ...decodeAs(bytes, named), notes };
    const text = new TextDecoder(WESTERN, { fatal: true }).decode(bytes);
    notes.push(`it does not say its encoding; it was read as ${WESTERN}`);
    return { text, encoding: WESTERN, notes };
  }
  if (said === undefined || said === 'utf-8') {
    if (isUtf8(bytes) || named === undefined) return { ...decodeAs(bytes, undefined), notes };
    return { ...decodeAs(bytes, named), notes };
  }
  try {
    return { text: new TextDecoder(said, { fatal: true }).decode(bytes), encoding: said, notes };
  } catch {
    if (named !== undefined && named !== said) return { ...decodeAs(bytes, named), notes };
    throw new UnreadableError('damaged', `it says that it is ${said}, and is not all of it`);
  }
}

function hasMark([first, second, third]: Uint8Array): boolean {
  return (
    (first === 0xff && second === 0xfe) ||
    (first === 0xfe && second === 0xff) ||
    (first === 0xef && second === 0xbb && third === 0xbf)
  );
}

function decodeAs(bytes: Uint8Array, named: string | undefined) {
  try {
    return decodeDocument('page', bytes, named);
  } catch (error) {
    if (!(error instanceof RefusedFileError)) throw error;
    throw new UnreadableError('encoding', error.why);
  }
}
