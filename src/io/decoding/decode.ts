/**
 * Decodes everything that people hand in: UTF-8, UTF-16 that begins with a byte order mark, and other
 * encodings that a person names. Bytes that do not fit the encoding are refused and not replaced, because a
 * replacement would lose them.
 */
import { isUtf8 } from 'node:buffer';
import { RefusedFileError } from './refused.ts';

/** Byte order marks of encodings other than UTF-8, the longer ones first. */
const MARKS: readonly {
  readonly name: string;
  readonly mark: readonly number[];
  /** The encoding's name for `TextDecoder`; undefined if the decoder does not support the encoding. */
  readonly encoding?: string;
}[] = [
  { name: 'UTF-32', mark: [0xff, 0xfe, 0, 0] },
  { name: 'UTF-32', mark: [0, 0, 0xfe, 0xff] },
  { name: 'UTF-16', mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { name: 'UTF-16', mark: [0xfe, 0xff], encoding: 'utf-16be' },
];

const ESCAPE = 0x1b;

/** Advice to a person whose file is not UTF-8. */
export const NAME_ENCODING =
  'If it is text in another encoding, name that: --encoding windows-1252';

interface Decoded {
  /** The text without a byte order mark. */
  readonly text: string;
  /** The encoding of the bytes; undefined for UTF-8. */
  readonly encoding?: string;
}

/**
 * Decodes UTF-8 and no other encoding, for files that the program also writes, and for formats that
 * require UTF-8. A byte order mark is removed.
 *
 * @param file the file's name, for the error's text
 * @throws RefusedFileError if the bytes are not UTF-8 text; for UTF-16 and UTF-32 with a byte order mark, the
 *   message names the encoding, otherwise a wrong byte, counted from 1
 */
export function decodeUtf8(file: string, bytes: Uint8Array): string {
  const other = markOf(bytes);
  if (other !== undefined)
    throw new RefusedFileError(file, `${other.name}, not UTF-8 text; save it as UTF-8`);
  return decodePlain(file, bytes);
}

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark. The byte order mark is removed.
 *
 * @param file the file's name, for the error's text
 * @throws RefusedFileError if the bytes are neither, or the text contains a zero character as binary files do
 */
export function decodeText(file: string, bytes: Uint8Array): string {
  return decodeMarked(file, bytes)?.text ?? decodePlain(file, bytes);
}

/**
 * Decodes a document in UTF-8, in UTF-16 with a byte order mark, or in the encoding that a person has
 * named. Bytes with the byte order mark of UTF-16 are always decoded as UTF-16. Valid UTF-8 text is decoded
 * as UTF-8 even if another encoding is named, unless it contains escape characters (0x1b): text in
 * ISO-2022-JP, which has such characters, is valid UTF-8 too. All other bytes are decoded in the named
 * encoding.
 *
 * @param file the file's name, for the error's text
 * @param named an encoding from `readEncoding`; undefined if no person has named one
 * @throws RefusedFileError if the bytes do not fit
 */
export function decodeDocument(
  file: string,
  bytes: Uint8Array,
  named: string | undefined,
): Decoded {
  const marked = decodeMarked(file, bytes);
  if (marked !== undefined) return marked;
  const isPlain = isUtf8(bytes) && !bytes.includes(0);
  if (named !== undefined && named !== 'utf-8' && !(isPlain && !bytes.includes(ESCAPE)))
    return decodeAs(file, bytes, named, named);
  try {
    return { text: decodePlain(file, bytes) };
  } catch (error) {
    if (!(error instanceof RefusedFileError) || isPlain || bytes.includes(0)) throw error;
    throw new RefusedFileError(file, error.why, named === undefined ? NAME_ENCODING : undefined);
  }
}

/**
 * Decodes bytes that begin with a byte order mark. Returns undefined if they do not, or the mark is
 * UTF-8's.
 *
 * @throws RefusedFileError if the bytes do not fit, or the encoding is not supported
 */
function decodeMarked(file: string, bytes: Uint8Array): Decoded | undefined {
  const mark = markOf(bytes);
  if (mark === undefined) return undefined;
  if (mark.encoding === undefined)
    throw new RefusedFileError(file, `${mark.name}, not UTF-8 text; save it as UTF-8`);
  return decodeAs(file, bytes, mark.encoding, mark.name);
}

function markOf(bytes: Uint8Array): (typeof MARKS)[number] | undefined {
  return MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));
}

/**
 * Decodes bytes in an encoding.
 *
 * @param name what people call the encoding
 * @throws RefusedFileError if the bytes do not fit
 */
function decodeAs(file: string, bytes: Uint8Array, encoding: string, name: string): Decoded {
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new RefusedFileError(file, `not ${name} text: ${firstBadByteIn(bytes, encoding)}`);
  }
  if (text.includes('\0')) throw new RefusedFileError(file, `binary, not text in ${name}`);
  return { text, encoding };
}

function decodePlain(file: string, bytes: Uint8Array): string {
  const zero = bytes.indexOf(0);
  if (zero >= 0) throw new RefusedFileError(file, `binary, not text: byte ${zero + 1} is 0x00`);
  const bad = describeBadByte(bytes);
  if (bad !== undefined) throw new RefusedFileError(file, `not UTF-8 text: ${bad}`);
  return new TextDecoder('utf-8').decode(bytes);
}

/**
 * Describes the first byte that is not valid UTF-8: `byte 12 is 0xe9`, counted from 1. Returns
 * undefined if all bytes are valid.
 */
export function describeBadByte(bytes: Uint8Array): string | undefined {
  const at = findBadByte(bytes);
  return at === undefined ? undefined : byteAt(bytes, at);
}

/**
 * Returns the offset of the first byte that is not valid UTF-8, counted from 0. Returns undefined
 * if all bytes are valid.
 */
export function findBadByte(bytes: Uint8Array): number | undefined {
  if (isUtf8(bytes)) return undefined;
  let at = 0;
  // Find the first U+FFFD that the decoder has put in place of an invalid byte, skipping those that the text
  // itself contains.
  for (const char of new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)) {
    const meant = bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
    if (char === '\ufffd' && !meant) break;
    at += Buffer.byteLength(char);
  }
  return at;
}

/**
 * Describes the first byte that does not fit an encoding. The position is searched by halving, because
 * decoders do not report it.
 */
function firstBadByteIn(bytes: Uint8Array, encoding: string): string {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (middle <= bytes.length && canDecode(bytes.subarray(0, middle), encoding)) good = middle;
    else bad = middle;
  }
  return good === bytes.length ? 'it ends inside a character' : byteAt(bytes, good);
}

function canDecode(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function byteAt(bytes: Uint8Array, at: number): string {
  return `byte ${at + 1} is 0x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`;
}
