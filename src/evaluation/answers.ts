/**
 * Makes the question of an item, parses answers, and compares them with the target. Only the last line
 * counts: a number that is merely mentioned, or a quoted answer, is none.
 */
import { makeNonce } from '../kernel/chance.ts';
import { toLine } from '../text/line.ts';
import type { Item } from './sets/item.ts';

interface Answer {
  /** The normalised answer; null if the text does not end in the requested form. */
  readonly answer: string | null;
  /** From 0 to 1, if the answer states it. */
  readonly confidence?: number;
}

type Asked = Pick<Item, 'kind' | 'choices'>;

/**
 * Returns the question of an item, which is the same for every arm (way of asking). The question does
 * not tell which answer is right.
 */
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

/**
 * Returns the question that asks a model to give its answer again in the right form. The question
 * contains the earlier answer, `text`, but not what the model was asked at first.
 */
export function repairQuestion(text: string, item: Asked): string {
  const id = makeNonce(0, text);
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

/** The answer's line; marks of emphasis around it are ignored. */
const LINE = /^[*_`\s]*ANSWER:[*_`\s]*(.*?)[*_`\s]*$/;
const CONFIDENCE = /^[*_`\s]*CONFIDENCE:[*_`\s]*(\d{1,3})\s*%?[*_`\s]*$/;

/** The longest answer's line in characters. */
const LONGEST = 2_000;

/**
 * Parses a model's text: its last line must be `ANSWER: …`, and the line before may state a
 * confidence. `answer` is null if the last line has another form or is no answer of the item's kind.
 */
export function readAnswer(text: string, item: Asked): Answer {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const last = lines.at(-1) ?? '';
  const said = last.length > LONGEST ? undefined : LINE.exec(last)?.[1];
  if (said === undefined) return { answer: null };
  const answer = normaliseAnswer(toLine(said), item);
  const sure = Number(CONFIDENCE.exec(lines.at(-2) ?? '')?.[1] ?? Number.NaN);
  return { answer, ...(answer !== null && sure <= 100 ? { confidence: sure / 100 } : {}) };
}

/** Returns whether a normalised answer equals the item's right answer. */
export function isRight(answer: string | null, item: Item): boolean {
  return answer !== null && answer === readTarget(item);
}

/**
 * Returns the item's right answer in the same normal form as answers; null if it has the wrong
 * form.
 */
export function readTarget({ target, ...item }: Item): string | null {
  return readAnswer(`ANSWER: ${target}`, item).answer;
}

/** Normalises an answer; null if it is no answer of the kind. */
function normaliseAnswer(said: string, { kind, choices = [] }: Asked): string | null {
  const value = said.trim();
  switch (kind) {
    case 'number':
      return spellNumber(value);
    case 'choice':
      return choices.find((choice) => isSameAnswer(choice, value)) ?? null;
    case 'flaw':
      return spellFlaw(value);
    case 'text':
      return value === '' ? null : value.replace(/[.]$/, '').toLowerCase();
  }
}

function isSameAnswer(left: string, right: string): boolean {
  const toPlain = (text: string): string => text.trim().replace(/[.]$/, '').toLowerCase();
  return toPlain(left) === toPlain(right);
}

/** Normalises a number: `1,200` and `1200.0` are equal; `about 12` is no number. */
function spellNumber(value: string): string | null {
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(value) ? value.replaceAll(',', '') : value;
  if (!/^-?\d{1,15}(\.\d{1,15})?\.?$/.test(plain)) return null;
  return String(Number(plain));
}

/** Normalises the answer to a memo. An answer that names several sentences is valid, and wrong. */
function spellFlaw(value: string): string | null {
  const named = /^FATAL:\s*(.+?)[.]?$/i.exec(value)?.[1]?.toUpperCase();
  if (named === undefined || !/^(NONE|S\d{1,3}(\s*(,|AND)\s*S\d{1,3})*)$/.test(named)) return null;
  return `FATAL: ${named.replace(/\s*(,|AND)\s*/g, ', ').replace(/S0+(?=\d)/g, 'S')}`;
}

/**
 * Returns the most frequent answer and its share of all samples. Of equally frequent answers, the
 * first one counts. The answer is null if there is none.
 */
export function findMostFrequent(answers: readonly (string | null)[]): {
  readonly answer: string | null;
  /** The share of all samples that give this answer. */
  readonly share: number;
} {
  const counts = new Map<string, number>();
  for (const answer of answers)
    if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  let answer: string | null = null;
  let most = 0;
  for (const [candidate, count] of counts) if (count > most) [answer, most] = [candidate, count];
  return { answer, share: answers.length === 0 ? 0 : most / answers.length };
}
