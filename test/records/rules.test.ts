/** docs/records.md names every rule of the validator, each under the heading that it belongs to. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  ERRORS,
  ERRORS_OF_SECOND_RULES,
  GUARDED,
  WARNINGS,
} from '../../src/protocols/rounds/records/problem.ts';

const PAGE = readFileSync(new URL('../../docs/records.md', import.meta.url), 'utf8');

function listRules(heading: string): string[] {
  const part = PAGE.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? '';
  const cells = part.split('\n').map((row) => row.split('|')[1] ?? '');
  return cells.flatMap((cell) =>
    [...cell.matchAll(/`([a-z0-9-]+)`/g)].map(([, rule]) => rule ?? ''),
  );
}

it.each([
  ['Errors', ERRORS],
  // The validator checks `illegal-transition` in all records, and more strictly in those since edition 2 of
  // the rules. So docs/records.md lists `illegal-transition` under two headings of errors.
  ['Errors under the second rules', [...ERRORS_OF_SECOND_RULES, 'illegal-transition']],
  ['Errors under the second rules, warnings elsewhere', GUARDED],
  ['Warnings', WARNINGS],
] as const)(
  'docs/records.md lists every rule of the validator that belongs under the heading %s',
  (heading, rules) => {
    expect(listRules(heading).sort()).toEqual([...rules].sort());
  },
);
