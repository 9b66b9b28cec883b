/** Names of character encodings, as the WHATWG Encoding Standard lists them and `--encoding` takes them. */
import { UsageError } from '../../kernel/errors.ts';

/**
 * Returns the standard name of an encoding: `windows-1252` for `latin1`.
 *
 * @throws UsageError if no encoding has the given name
 */
export function readEncoding(name: string): string {
  const encoding = findEncoding(name);
  if (encoding === undefined)
    throw new UsageError(
      `"${name}" is not a known encoding`,
      'Use a name of the web, such as latin1, windows-1252, iso-8859-15, shift_jis, gbk or utf-16le.',
    );
  return encoding;
}

/**
 * Returns the standard name of an encoding: `windows-1252` for `latin1`. Returns undefined if no
 * encoding has the given name.
 */
export function findEncoding(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}
