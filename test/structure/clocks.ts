/**
 * Finds tests whose result depends on a clock. A busy machine makes everything slow, and a kernel may count
 * time in ticks of 4 ms, so a test that compares times fails although nothing is wrong. Tests show cost by
 * counting steps (`test/steps`), and order by what happens before what.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './imports.ts';

/** The files that may look at a clock, each with the reason. */
export const MAY_MEASURE: ReadonlyMap<string, string> = new Map([
  ['test/fuzz/nightly.ts', 'a script, not a test: it prints how long each target took'],
  ['test/structure/structure.test.ts', 'shows in snippets what is refused'],
]);

/** Matches clocks that only measure durations. */
const STOPWATCH =
  /\bperformance\s*\??\.\s*(?:now|timeOrigin|mark|measure)\b|\bhrtime\b|\b(?:threadC|c)puUsage\b|\bresourceUsage\b|\bconsole\.time\w*\(/;
/** Matches the time of day, which tests may pass on as a value. */
const NOW = String.raw`(?:Date\.now\(\)|new Date\(\)(?:\.\w+\(\))?)`;
/** Matches the time of day where it is compared, or subtracted to get a duration. */
const COMPARED = new RegExp(
  String.raw`${NOW}\s*(?:[<>]=?|[!=]==)|(?:(?<!=)>|<|[<>]=|[!=]==)\s*${NOW}|${NOW}\s*-\s*(?:\w*(?:[bB]egan|[sS]tart\w*|[bB]efore|[eE]nded))\b`,
);
/** Matches an assertion from `expect` to the end of its statement. */
const ASSERTED = /\bexpect(?:\.\w+)*\((?:[^;]|;(?!\s*\n))*?;\s*$/gm;

/** Returns the text of every test and helper, by its path. */
export function readTests(): Map<string, string> {
  const files = globSync('test/**/*.{ts,tsx,mjs}', { cwd: ROOT }).sort();
  return new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
}

/**
 * Returns the places at which a clock may decide a test, as `FILE:LINE: CODE`, and exceptions that are no
 * longer needed.
 *
 * @param files The text of each file, by its path.
 * @param mayMeasure The files that may look at a clock, with their reasons.
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

/** Returns the lines at which a clock may decide a test, as `LINE: CODE`. */
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
