/**
 * The files in an office document, which is a zip archive. What is unpacked is chosen by name and bounded by
 * the sizes that the archive states: each file is unpacked into a buffer of that size and no larger one.
 */
import { type UnzipFileInfo, unzipSync } from 'fflate';
import { Unreadable } from './input.ts';

/** Bytes of all files that are unpacked, and of one of them. */
const MOST_UNPACKED = 96 * 1024 * 1024;
const MOST_OF_ONE = 48 * 1024 * 1024;
/** A document has some hundred files. */
const MOST_FILES = 20_000;

const damaged = (): Unreadable =>
  new Unreadable('damaged', 'a damaged office document: its archive cannot be unpacked');

/** The names of all files. @throws Unreadable */
export function namesIn(bytes: Uint8Array): string[] {
  const names: string[] = [];
  unpackWhere(bytes, ({ name }) => {
    names.push(name);
    if (names.length > MOST_FILES)
      throw new Unreadable('too-long', `its archive has more than ${MOST_FILES} files`);
    return false;
  });
  return names;
}

/** The files with such names, by name. @throws Unreadable */
export function unpack(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): Map<string, Uint8Array> {
  let size = 0;
  const files = unpackWhere(bytes, ({ name, originalSize }) => {
    if (!isWanted(name)) return false;
    size += originalSize;
    if (originalSize > MOST_OF_ONE || size > MOST_UNPACKED)
      throw new Unreadable('too-long', `${name} in it unpacks to more than is read`);
    return true;
  });
  return new Map(Object.entries(files));
}

/** A file of XML as text; undefined where there is none. @throws Unreadable */
export function xmlOf(files: ReadonlyMap<string, Uint8Array>, name: string): string | undefined {
  const bytes = files.get(name);
  if (bytes === undefined) return undefined;
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const text = new TextDecoder(
    wide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8',
  ).decode(bytes);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw new Unreadable(
      'unsupported',
      'its XML declares entities, which no office program writes; it is not read',
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
    throw error instanceof Unreadable ? error : damaged();
  }
}
