/**
 * How an item is put, how an answer is read, and whether it is right. The last line counts and nothing
 * else: a number that is merely mentioned, or an answer that somebody quotes, is none.
 */
import { nonce } from '../kernel/chance.ts';
import { line } from '../text/line.ts';
import type { Item } from './sets/item.ts';

interface Answer {
  /** In one spelling; null where the text does not end as it was asked to. */
  readonly answer: string | null;
  /** 0 to 1, where it was said. */
  readonly confidence?: number;
}

type Asked = Pick<Item, 'kind' | 'choices'>;

/** The bytes that everybody is asked. Nothing of it comes from the target. */
export function questionOf(item: Item): string {
  const { input, choices } = item;
  return [
    input.trim(),
    ...(choices === undefined ? [] : [`The possible answers: ${choices.join(', ')}`]),
    [
      'Work it out step by step. Then end with exactly these two lines, without any formatting, and nothing after them:',
      'CONFIDENCE: <a whole number from 0 to 100, how sure you are>',
      `ANSWER: ${formOf(item)}`,
    ].join('\n'),
  ].join('\n\n');
}

function formOf({ kind, choices }: Asked): string {
  switch (kind) {
    case 'number':
      return '<a number, digits only>';
    case 'choice':
      return choices === undefined
        ? '<one of the possible answers>'
        : '<one of the possible answers, spelled the same>';
    case 'flaw':
      return 'FATAL: <S and the number of the sentence, or NONE>';
    case 'text':
      return '<the answer, in as few words as it takes>';
  }
}

/** What whoever gave an answer that cannot be read is asked, with its own words and nothing else. */
export function repairQuestion(text: string, item: Asked): string {
  const id = nonce(0, text);
  return [
    `Below, between the lines marked ${id}, is a text of yours that ends with no answer in the form that was asked for.`,
    `--- ${id}`,
    text.trim(),
    `--- ${id}`,
    [
      'Do not think it over again: write down the answer that this text comes to, as one line and nothing else. If it comes to none, write NO ANSWER.',
      ...(item.choices === undefined ? [] : [`The possible answers: ${item.choices.join(', ')}`]),
      `ANSWER: ${formOf(item)}`,
    ].join('\n'),
  ].join('\n\n');
}

/** Marks of emphasis around a whole line say nothing of their own. */
const LINE = /^[*_`\s]*ANSWER:[*_`\s]*(.*?)[*_`\s]*$/;
const CONFIDENCE = /^[*_`\s]*CONFIDENCE:[*_`\s]*(\d{1,3})\s*%?[*_`\s]*$/;

/** A last line that is longer is no answer, whatever it begins with. */
const LONGEST = 2_000;

export function readAnswer(text: string, item: Asked): Answer {
  const lines = text.split(/\r?\n/).filter((one) => one.trim() !== '');
  const last = lines.at(-1) ?? '';
  const said = last.length > LONGEST ? undefined : LINE.exec(last)?.[1];
  if (said === undefined) return { answer: null };
  const answer = spell(line(said), item);
  const sure = Number(CONFIDENCE.exec(lines.at(-2) ?? '')?.[1] ?? Number.NaN);
  return { answer, ...(answer !== null && sure <= 100 ? { confidence: sure / 100 } : {}) };
}

export function isRight(answer: string | null, item: Item): boolean {
  return answer !== null && answer === readTarget(item);
}

/** The target as whoever gives it is read: what is taken off an answer is taken off both. */
export function readTarget({ target, ...item }: Item): string | null {
  return readAnswer(`ANSWER: ${target}`, item).answer;
}

/** One spelling for whatever means the same; null for what is no answer of the kind. */
function spell(said: string, { kind, choices = [] }: Asked): string | null {
  const value = said.trim();
  switch (kind) {
    case 'number':
      return spellNumber(value);
    case 'choice':
      return choices.find((one) => same(one, value)) ?? null;
    case 'flaw':
      return spellFlaw(value);
    case 'text':
      return value === '' ? null : value.replace(/[.]$/, '').toLowerCase();
  }
}

function same(left: string, right: string): boolean {
  const plain = (text: string): string => text.trim().replace(/[.]$/, '').toLowerCase();
  return plain(left) === plain(right);
}

/** `1,200` and `1200.0` are one number; `about 12` is none. */
function spellNumber(value: string): string | null {
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(value) ? value.replaceAll(',', '') : value;
  if (!/^-?\d{1,15}(\.\d{1,15})?\.?$/.test(plain)) return null;
  return String(Number(plain));
}

/** An answer that names several sentences can be read, and is wrong. */
function spellFlaw(value: string): string | null {
  const named = /^FATAL:\s*(.+?)[.]?$/i.exec(value)?.[1]?.toUpperCase();
  if (named === undefined || !/^(NONE|S\d{1,3}(\s*(,|AND)\s*S\d{1,3})*)$/.test(named)) return null;
  return `FATAL: ${named.replace(/\s*(,|AND)\s*/g, ', ').replace(/S0+(?=\d)/g, 'S')}`;
}

/** What most of them say; of as many for several, what was said first. Null where nobody answered. */
export function mostSaid(answers: readonly (string | null)[]): {
  readonly answer: string | null;
  /** Of all who were asked. */
  readonly share: number;
} {
  const counts = new Map<string, number>();
  for (const one of answers) if (one !== null) counts.set(one, (counts.get(one) ?? 0) + 1);
  let answer: string | null = null;
  let most = 0;
  for (const [one, count] of counts) if (count > most) [answer, most] = [one, count];
  return { answer, share: answers.length === 0 ? 0 : most / answers.length };
}
