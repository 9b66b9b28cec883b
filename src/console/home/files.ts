/**
 * Paths on the home screen: the line in which a path is typed, and `@path` in a question, which attaches that
 * file. Pure.
 */
import { withMessage } from '../shell/overlay.ts';
import { pasteText, type TextInput, typeKey } from '../ui/text-input.ts';
import type { AttachedFile, LookFolder, PathCompletion } from './offer.ts';
import { FORM, type Home, type Mode } from './state.ts';

type PathMode = Extract<Mode, { kind: 'path' }>;

/** The most names of a completion that are shown below the line. */
const SHOWN = 200;

/**
 * Returns the home screen after a key in the line where a path is typed. A refused path stays in
 * the line, to be corrected.
 */
export function keyInPath(home: Home, mode: PathMode, key: string): Home {
  if (key === 'escape') return { ...home, mode: FORM };
  const path = mode.field.text.trim();
  if (key === 'tab') return { ...home, effect: { kind: 'complete', path: mode.field.text } };
  if (key !== 'enter')
    return { ...home, mode: { ...mode, field: typeKey(mode.field, key), names: [] } };
  if (path === '') return { ...home, mode: FORM };
  return { ...home, effect: { kind: mode.then, path } };
}

/**
 * Returns the home screen with one more attached file, and a message that says what could not be read
 * of it. A file with the same path is replaced.
 */
export function withFile(home: Home, file: AttachedFile): Home {
  const others = home.attachments.filter(({ path }) => path !== file.path);
  const mode = home.mode.kind === 'path' ? FORM : home.mode;
  const { path, lacks = [] } = file;
  const more = lacks.length > 1 ? `; and ${lacks.length - 1} more, told when the run starts` : '';
  const said = lacks[0] === undefined ? '' : `: ${lacks[0]}${more}`;
  return withMessage<Home>(
    { ...home, mode, attachments: [...others, file] },
    `Attached ${path}${said}.`,
  );
}

/**
 * Returns the home screen with the folders of `look` as those that seats may read, and a message that
 * names the last of them.
 */
export function withLook(home: Home, look: readonly LookFolder[]): Home {
  const mode = home.mode.kind === 'path' ? FORM : home.mode;
  return withMessage({ ...home, mode, look }, `Seats can read ${look.at(-1)?.path ?? 'nothing'}.`);
}

/** Returns the home screen with a path completed after Tab. */
export function withCompletion(home: Home, { text, names }: PathCompletion): Home {
  const { mode } = home;
  if (mode.kind !== 'path') return home;
  const field: TextInput = { ...mode.field, text, at: [...text].length };
  if (names.length === 0)
    return { ...home, notice: { text: 'No file name starts with that.', bad: false } };
  return {
    ...home,
    mode: { ...mode, field, names: names.length < 2 ? [] : names.slice(0, SHOWN) },
  };
}

/** Returns the line where a path is typed, after text was pasted. */
export function pastePath(mode: PathMode, text: string): PathMode {
  return { ...mode, field: pasteText(mode.field, text), names: [] };
}

/** Punctuation that may follow a path: `see @notes.md, and …`. */
const TRAILING = /[.,;:!?)\]}'"]+$/;

/**
 * Finds the words of a question that follow an @ and may be paths of files, with and without the
 * punctuation at their ends. Each is returned once.
 */
export function findMentions(question: string): string[] {
  const found = [...question.matchAll(/(?<=^|[\s(["'])@([^\s@]+)/g)].flatMap(([, path = '']) => [
    path,
    path.replace(TRAILING, ''),
  ]);
  return [...new Set(found)].filter((path) => path !== '');
}

/**
 * Returns the home screen with the files that the question names.
 *
 * @param found for each word that may be a path (see `findMentions`), its file; undefined if there is
 *   no such file
 */
export function withMentions(
  home: Home,
  found: ReadonlyMap<string, AttachedFile | undefined>,
): Home {
  const mentioned = findMentions(home.question.text).flatMap((path) => found.get(path) ?? []);
  return { ...home, mentioned };
}
