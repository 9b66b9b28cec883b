/** Summaries of ava and unittest, whose numbers have to be put together from what they list. */
import { firstNames, lastMatch, namesIn, numberOf } from './matching.ts';
import type { Reader } from './summary.ts';

/** Below a rule: `2 tests failed`, `1 known failure`, `1 test skipped`, each in a line of its own. */
const AVA =
  /^ {2}─\n\n(?<rows>(?: {2}\d+ (?:tests? (?:passed|failed|skipped|todo|remained pending[^\n]*)|known failures?|uncaught exceptions?|unhandled rejections?)(?:\n|$))+)/gm;

/**
 * With a failure it does not say how many passed: those are listed with a check mark above. An exception
 * that nobody caught fails a file, and with it tests that have never begun.
 */
export const readAva: Reader = (text) => {
  const found = lastMatch(text, AVA);
  if (found?.groups === undefined) return undefined;
  const rows = found.groups.rows ?? '';
  const of = (words: string): number =>
    numberOf(new RegExp(`^ {2}(\\d+) ${words}`, 'm').exec(rows)?.[1]);
  const above = text.slice(0, found.index);
  const passed =
    of('tests? passed') || [...above.matchAll(/^ {2}✔ (?!\[expected fail\])/gm)].length;
  const failed =
    of('tests? failed') +
    of('uncaught exception') +
    of('unhandled rejection') +
    of('tests? remained');
  return {
    at: found.index + found[0].length,
    counts: {
      passed,
      failed,
      // A test that is expected to fail proves nothing.
      skipped: of('tests? skipped') + of('tests? todo') + of('known failure'),
      failing: namesIn(above, /^ {2}✘ \[fail\]: (?<name>.+?)(?: Error thrown in test)?$/gm),
    },
  };
};

const UNITTEST =
  /^Ran (?<ran>\d+) tests? in [\d.]+s\n\n(?:OK|FAILED|NO TESTS RAN)(?: \((?<numbers>[a-z =,\d]+)\))?$/gm;

/** It counts failures, and a test that has subtests can have several: what counts is the test. */
export const readUnittest: Reader = (text) => {
  const found = lastMatch(text, UNITTEST);
  if (found?.groups === undefined) return undefined;
  const numbers = new Map(
    [...(found.groups.numbers ?? '').matchAll(/([a-z ]+)=(\d+)/g)].map(([, name = '', digits]) => [
      name.trim(),
      Number(digits),
    ]),
  );
  const of = (...names: string[]): number =>
    names.reduce((sum, name) => sum + (numbers.get(name) ?? 0), 0);
  const above = text.slice(0, found.index);
  const headings = namesIn(above, /^(?:FAIL|ERROR): (?<name>\S+ \(\S+\))/gm);
  const surprising = of('unexpected successes');
  const skipped = of('skipped', 'expected failures');
  const ran = numberOf(found.groups.ran);
  // Without names the tests that failed are as many as their failures.
  const tests = headings.length > 0 ? headings.length : of('failures', 'errors');
  return {
    at: found.index + found[0].length,
    counts: {
      passed: Math.max(0, ran - tests - surprising - skipped),
      ...{ failed: tests + surprising, skipped },
      failing: firstNames([
        ...headings,
        ...namesIn(above, /^UNEXPECTED SUCCESS: (?<name>\S+ \(\S+\))/gm),
      ]),
    },
  };
};
