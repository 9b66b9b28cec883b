/** Text files that come from a person or a stranger: small, whole, and text, or refused by name. */
import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { UsageError } from '../kernel/errors.ts';

/** Why a file was refused: a sentence that goes after its name. */
export class Refused extends UsageError {
  readonly why: string;

  constructor(file: string, why: string) {
    super(`${file}: ${why}`);
    this.name = 'Refused';
    this.why = why;
  }
}

export interface Allowed {
  /** Bytes. */
  readonly most: number;
  /** Whether the file may be a link to another one. */
  readonly links: boolean;
}

/**
 * A file's text, without a byte order mark. It is looked at after it was opened, so that what is read
 * is what was looked at; a pipe or a device is not waited for.
 *
 * @throws Refused where it is no such file, and undefined where there is none.
 */
export function textOf(file: string, { most, links }: Allowed): string | undefined {
  let opened: number;
  try {
    opened = openSync(
      file,
      constants.O_RDONLY | constants.O_NONBLOCK | (links ? 0 : constants.O_NOFOLLOW),
    );
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Refused(file, whyNot(code));
  }
  try {
    const stat = fstatSync(opened);
    if (stat.isDirectory()) throw new Refused(file, 'it is a folder');
    if (!stat.isFile()) throw new Refused(file, 'it is no regular file');
    if (stat.size > most)
      throw new Refused(file, `it has ${sized(stat.size)}; at most ${sized(most)} are read`);
    return decode(file, bytesOf(file, opened));
  } finally {
    closeSync(opened);
  }
}

function bytesOf(file: string, opened: number): Uint8Array {
  try {
    return readFileSync(opened);
  } catch (error) {
    throw new Refused(file, whyNot(codeOf(error)));
  }
}

/** What lies under a name; undefined where nothing does or can. @throws Refused where nobody lets us look. */
export function lookAt(file: string): Stats | undefined {
  return looked(file, statSync);
}

/** The same of a link itself, not of what it leads to. */
export function lookAtLink(file: string): Stats | undefined {
  return looked(file, lstatSync);
}

function looked(file: string, look: typeof statSync): Stats | undefined {
  try {
    return look(file, { throwIfNoEntry: false });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw new Refused(file, whyNot(code));
  }
}

/** How texts begin that are in none but other encodings, the longer beginnings first. */
const OTHERS: readonly { readonly name: string; readonly mark: readonly number[] }[] = [
  { name: 'UTF-32', mark: [0xff, 0xfe, 0, 0] },
  { name: 'UTF-32', mark: [0, 0, 0xfe, 0xff] },
  { name: 'UTF-16', mark: [0xff, 0xfe] },
  { name: 'UTF-16', mark: [0xfe, 0xff] },
];

/**
 * Bytes as text, without a byte order mark: everything that people hand in, and every file of theirs that
 * is read as text, comes through here. What is no UTF-8 is refused and not mended, since mending loses it.
 *
 * @throws Refused naming the first byte that is wrong, counted from 1.
 */
export function decode(file: string, bytes: Uint8Array): string {
  const other = OTHERS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));
  if (other !== undefined)
    throw new Refused(file, `it is ${other.name}, not text in UTF-8; save it as UTF-8`);
  const zero = bytes.indexOf(0);
  if (zero >= 0) throw new Refused(file, `it is binary, not text: byte ${zero + 1} is 0x00`);
  const bad = firstBadByte(bytes);
  if (bad !== undefined) throw new Refused(file, `it is not text in UTF-8: ${bad}`);
  return new TextDecoder('utf-8').decode(bytes);
}

/** `byte 12 is 0xe9`: where bytes stop being UTF-8. Undefined where they do not. */
export function firstBadByte(bytes: Uint8Array): string | undefined {
  if (isUtf8(bytes)) return undefined;
  let at = 0;
  // What the decoder replaces, it replaces one by one: the first U+FFFD that does not stand there itself.
  for (const char of new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)) {
    const meant = bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
    if (char === '\ufffd' && !meant) break;
    at += Buffer.byteLength(char);
  }
  return `byte ${at + 1} is 0x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`;
}

/** `12 KB`, `1.5 MB` */
export function sized(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${Math.ceil(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

export function whyNot(code: string | undefined): string {
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EISDIR':
      return 'it is a folder';
    case 'ELOOP':
      return 'it is a link; copy the file instead';
    case 'EACCES':
    case 'EPERM':
      return 'it may not be read';
    case 'ENXIO':
      return 'it is no regular file';
    case 'ENAMETOOLONG':
      return 'its name is too long';
    case 'ENOTDIR':
      return 'a part of its path is no folder';
    case 'EIO':
      return 'it cannot be read (input/output error)';
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open';
    default:
      return code ?? 'it cannot be read';
  }
}
