/** Edits a person's configuration file without losing comments or order. */
import { type Document, isMap, isNode, isScalar, parseDocument } from 'yaml';
import { writeOwn } from '../../io/own-file.ts';
import { errorCode, explainCode, findStatus, readTextFile } from '../../io/text-file.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { realPathOf } from '../../platform/real-path.ts';

/** The largest configuration file that is read, in bytes. */
const LARGEST = 256 * 1024;

/** The path of a setting in a file: its name, then the keys below it. */
export type SettingPath = readonly [string, ...string[]];

/**
 * Returns the text of a configuration file with one setting changed. A missing file counts as
 * empty.
 *
 * @param file the file's path
 * @throws UsageError if the file is not valid YAML or not a list of settings
 */
export function withSetting(file: string, path: SettingPath, value: unknown): string {
  return applyEdit(file, (document) => {
    // Only a mapping can get keys below it, so replace any other value on the path by an empty mapping.
    for (let depth = 1; depth < path.length; depth += 1)
      if (!isMap(document.getIn(path.slice(0, depth), true)))
        document.setIn(path.slice(0, depth), document.createNode({}));
    // A plain value replaces the old value and keeps the comment beside it. A mapping or list inside a setting is
    // written on one line, as people write it: `lab: { speaks: openai, url: … }`.
    const isPlain = typeof value !== 'object' || value === null;
    document.setIn(path, isPlain ? value : document.createNode(value, { flow: path.length > 1 }));
  });
}

/**
 * Returns the text of a configuration file without one setting, and without the keys above it that
 * have no entry left. Returns undefined if the file does not contain the setting.
 *
 * @param file the file's path
 * @throws UsageError if the file is not valid YAML or not a list of settings
 */
export function withoutSetting(file: string, path: SettingPath): string | undefined {
  let isThere = false;
  const text = applyEdit(file, (document) => {
    isThere = document.hasIn(path);
    if (!isThere) return;
    keepComments(document, path);
    document.deleteIn(path);
    for (let depth = path.length - 1; depth > 0; depth -= 1) {
      const parent = document.getIn(path.slice(0, depth), true);
      if (isMap(parent) && parent.items.length === 0) document.deleteIn(path.slice(0, depth));
    }
  });
  return isThere ? text : undefined;
}

/** Moves a comment that is separated from the setting, such as the head of the file, to the next setting. */
function keepComments(document: Document, path: SettingPath): void {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return;
  const index = parent.items.findIndex(({ key }) => isScalar(key) && key.value === path.at(-1));
  const { key } = parent.items[index] ?? {};
  const end = isNode(key) ? (key.commentBefore?.lastIndexOf('\n\n') ?? -1) : -1;
  if (!isNode(key) || end < 0) return;
  const kept = key.commentBefore?.slice(0, end);
  const next = parent.items[index + 1]?.key;
  const joinComments = (after: string | null | undefined): string =>
    [kept, after].filter(Boolean).join('\n\n');
  if (isNode(next)) next.commentBefore = joinComments(next.commentBefore);
  else document.comment = joinComments(document.comment);
}

/** Reads a configuration file as text. Returns undefined if the file is missing. */
export function readText(file: string): string | undefined {
  return readTextFile(file, { most: LARGEST, links: true });
}

function applyEdit(file: string, edit: (document: Document) => void): string {
  const document = parseDocument(readText(file) ?? '', { logLevel: 'error' });
  const [problem] = document.errors;
  if (problem !== undefined)
    throw new UsageError(
      `${file} is not valid YAML: ${problem.message.split('\n')[0]}`,
      'Fix it first: deliberate config edit',
    );
  if (document.contents === null) document.contents = document.createNode({}) as never;
  if (!isMap(document.contents))
    throw new UsageError(`${file} is not a list of settings`, 'Edit it yourself.');
  // Write each setting on a line of its own, even if the file has all its settings in braces on one line, such as
  // `{}`.
  document.contents.flow = false;
  edit(document);
  const text = document.toString({ lineWidth: 0 });
  if (document.contents.items.length > 0) return text;
  const comments = text.replace(/^\{\}\n/m, '').trim();
  return comments === '' ? '' : `${comments}\n`;
}

/**
 * Writes the configuration file.
 * @throws DeliberateError if the file cannot be written
 */
export function writeConfig(file: string, text: string): void {
  try {
    // If the file is a symbolic link, write to its target and keep the link.
    writeOwn(findStatus(file) === undefined ? file : realPathOf(file), text);
  } catch (error) {
    throw new DeliberateError(
      'not-written',
      `${file} cannot be written: ${explainCode(errorCode(error))}`,
    );
  }
}
