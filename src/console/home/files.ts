/**
 * Files and folders on the home screen: the line in which a path is written, and `@path` in a question, which puts
 * that file under discussion. Pure.
 */
import { pasteText, type TextInput, typeKey } from '../ui/text-input.ts';
import type { Attached, LookedInto, PathCompletion } from './offer.ts';
import { FORM, type Home, type Mode, say } from './state.ts';

type PathMode = Extract<Mode, { kind: 'path' }>;

/** So many names are shown below the line. */
const SHOWN = 200;

/** A path that cannot be taken stays where it is, to be mended. */
export function inPath(home: Home, mode: PathMode, key: string): Home {
  if (key === 'escape') return { ...home, mode: FORM };
  const path = mode.field.text.trim();
  if (key === 'tab') return { ...home, effect: { kind: 'complete', path: mode.field.text } };
  if (key !== 'enter')
    return { ...home, mode: { ...mode, field: typeKey(mode.field, key), names: [] } };
  if (path === '') return { ...home, mode: FORM };
  return { ...home, effect: { kind: mode.then, path } };
}

export function withFile(home: Home, file: Attached): Home {
  const others = home.attachments.filter(({ path }) => path !== file.path);
  const mode = home.mode.kind === 'path' ? FORM : home.mode;
  return say({ ...home, mode, attachments: [...others, file] }, `Attached ${file.path}.`);
}

/** The folders that seats may look into, with one more. */
export function withLook(home: Home, look: readonly LookedInto[]): Home {
  const mode = home.mode.kind === 'path' ? FORM : home.mode;
  return say({ ...home, mode, look }, `Seats can read ${look.at(-1)?.path ?? 'nothing'}.`);
}

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

export function pastedPath(mode: PathMode, text: string): PathMode {
  return { ...mode, field: pasteText(mode.field, text), names: [] };
}

/** What stands behind an @ may go on after the path: `see @notes.md, and …`. */
const TRAILING = /[.,;:!?)\]}'"]+$/;

/** What may be paths of files in a question, each once: with and without what ends a clause. */
export function mentionsIn(question: string): string[] {
  const found = [...question.matchAll(/(?<=^|[\s(["'])@([^\s@]+)/g)].flatMap(([, path = '']) => [
    path,
    path.replace(TRAILING, ''),
  ]);
  return [...new Set(found)].filter((path) => path !== '');
}

/** The files that the question names, of those that were found. */
export function withMentions(home: Home, found: ReadonlyMap<string, Attached | undefined>): Home {
  const mentioned = mentionsIn(home.question.text).flatMap((path) => found.get(path) ?? []);
  return { ...home, mentioned };
}
