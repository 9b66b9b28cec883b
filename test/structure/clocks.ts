/**
 * No test decides by a clock. A busy machine makes everything slow, and a kernel may count in ticks of 4 ms: a
 * test that compares times fails where nothing is wrong. Cost is shown by counting (`test/steps`), order by what
 * happens before what, and waits by the time that was asked for.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './imports.ts';

/** Files that may look at a clock, each with the reason. */
export const MAY_MEASURE: ReadonlyMap<string, string> = new Map([
  ['test/fuzz/nightly.ts', 'a script, not a test: it prints how long each target took'],
  ['test/structure/structure.test.ts', 'shows in snippets what is refused'],
]);

/** Clocks that are good for nothing but measuring. */
const STOPWATCH =
  /\bperformance\s*\??\.\s*(?:now|timeOrigin|mark|measure)\b|\bhrtime\b|\b(?:threadC|c)puUsage\b|\bresourceUsage\b|\bconsole\.time\w*\(/;
/** The time of day, which tests may hand on as a value. */
const NOW = String.raw`(?:Date\.now\(\)|new Date\(\)(?:\.\w+\(\))?)`;
/** Compared by an operator, or subtracted: what remains is how long something took. */
const COMPARED = new RegExp(
  String.raw`${NOW}\s*(?:[<>]=?|[!=]==)|(?:(?<!=)>|<|[<>]=|[!=]==)\s*${NOW}|${NOW}\s*-\s*(?:\w*(?:[bB]egan|[sS]tart\w*|[bB]efore|[eE]nded))\b`,
);
/** `expect(…)` up to the end of its statement. */
const ASSERTED = /\bexpect(?:\.\w+)*\((?:[^;]|;(?!\s*\n))*?;\s*$/gm;

/** Everything that tests and their helpers are made of, by its path. */
export function readTests(): Map<string, string> {
  const files = globSync('test/**/*.{ts,tsx,mjs}', { cwd: ROOT }).sort();
  return new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
}

/**
 * Finds tests that may decide by a clock, and exceptions that are no longer needed.
 *
 * @param files The text of each file, by its path.
 * @param mayMeasure The files that are passed over, with their reasons.
 * @returns `file:line: …`, in the order of the files.
 */
export function findClocks(
  files: ReadonlyMap<string, string>,
  mayMeasure: ReadonlyMap<string, string> = MAY_MEASURE,
): string[] {
  const problems: string[] = [];
  for (const [file, text] of files) {
    const found = clocksIn(text);
    if (!mayMeasure.has(file)) problems.push(...found.map((line) => `${file}:${line}`));
    else if (found.length === 0) problems.push(`${file}: an exception that is not needed`);
  }
  for (const file of mayMeasure.keys())
    if (!files.has(file)) problems.push(`${file}: an exception for a file that is not there`);
  return problems;
}

/** Returns the lines with a clock that may decide a test, with their text. */
function clocksIn(text: string): string[] {
  const code = withoutComments(text);
  const asserted = new Set<number>();
  for (const found of code.matchAll(ASSERTED)) {
    const from = lineAt(code, found.index);
    for (const [offset, line] of found[0].split('\n').entries())
      if (new RegExp(NOW).test(line)) asserted.add(from + offset);
  }
  return code
    .split('\n')
    .flatMap((line, index) =>
      STOPWATCH.test(line) || COMPARED.test(line) || asserted.has(index)
        ? [`${index + 1}: ${line.trim()}`]
        : [],
    );
}

/** Empties comments, so that lines keep their numbers. */
function withoutComments(text: string): string {
  return text
    .replace(/^\s*\/\*[\s\S]*?\*\//gm, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/^\s*\/\/.*$/gm, '');
}

/** Returns the number of the line at a position of a text, counted from 0. */
function lineAt(text: string, place: number): number {
  return text.slice(0, place).split('\n').length - 1;
}
