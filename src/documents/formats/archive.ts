/**
 * Unpacks the files of an office document, which is a zip archive. Files are chosen by name, and limited by
 * the sizes that the archive states: each file is unpacked into a buffer of that size and no larger.
 */
import { type UnzipFileInfo, unzipSync } from 'fflate';
import { UnreadableError } from './input.ts';

/** Maximum bytes of all unpacked files together, and of a single file. */
const MOST_UNPACKED = 96 * 1024 * 1024;
const MOST_OF_ONE = 48 * 1024 * 1024;
/** Maximum number of files in an archive. Ordinary documents have some hundred. */
const MOST_FILES = 20_000;

const makeUnreadable = (): UnreadableError =>
  new UnreadableError('damaged', 'a damaged office document: its archive cannot be unpacked');

/**
 * Returns the names of all files in a zip archive, such as an office document.
 * @throws UnreadableError if the archive is damaged or has too many files
 */
export function namesIn(bytes: Uint8Array): string[] {
  const names: string[] = [];
  unpackWhere(bytes, ({ name }) => {
    names.push(name);
    if (names.length > MOST_FILES)
      throw new UnreadableError('too-long', `its archive has more than ${MOST_FILES} files`);
    return false;
  });
  return names;
}

/**
 * Unpacks the wanted files of a zip archive, and returns their bytes by name.
 * @throws UnreadableError if the archive is damaged or its files are too large
 */
export function unpackZip(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): Map<string, Uint8Array> {
  let size = 0;
  const files = unpackWhere(bytes, ({ name, originalSize }) => {
    if (!isWanted(name)) return false;
    size += originalSize;
    if (originalSize > MOST_OF_ONE || size > MOST_UNPACKED)
      throw new UnreadableError(
        'too-long',
        `its part ${name.slice(0, 100)} unpacks to more than is read`,
      );
    return true;
  });
  return new Map(Object.entries(files));
}

/**
 * Returns an XML file as text, or undefined if the file does not exist.
 *
 * @throws UnreadableError if the XML declares a document type or entities
 */
export function xmlOf(files: ReadonlyMap<string, Uint8Array>, name: string): string | undefined {
  const bytes = files.get(name);
  if (bytes === undefined) return undefined;
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const text = new TextDecoder(
    wide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8',
  ).decode(bytes);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw new UnreadableError(
      'unsupported',
      'its XML declares entities, which no office program writes, so it is not read; save it anew in one',
    );
  return text;
}

function unpackWhere(
  bytes: Uint8Array,
  filter: (file: UnzipFileInfo) => boolean,
): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    throw error instanceof UnreadableError ? error : makeUnreadable();
  }
}
