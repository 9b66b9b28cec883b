/** Names of character encodings, as the WHATWG Encoding Standard lists them and `--encoding` takes them. */
import { UsageError } from '../../kernel/errors.ts';

/**
 * Returns the standard's own name of an encoding: `latin1` is `windows-1252`.
 *
 * @throws UsageError for a name that the standard does not have
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

/** Returns the standard's own name of an encoding, or undefined if the standard does not have the name. */
export function findEncoding(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}
