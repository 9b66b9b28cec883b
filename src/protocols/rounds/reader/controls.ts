/**
 * Makes control sentences with known answers from the documents. They are mixed among the claims
 * and show whether the reader still reads carefully.
 */
import { shuffleItems } from '../../../kernel/chance.ts';
import { textLines } from '../../../text/lines.ts';
import { formatCount } from '../../../text/numbers.ts';
import { sanitiseText } from '../../../text/sanitise.ts';
import type { Finding } from '../../entrance/findings.ts';
import type { RoundsConfig } from '../config.ts';
import { isSince } from '../prompts/order.ts';
import { type Document, findWord } from '../records/documents.ts';
import { createDistinctnessCheck } from './beyond-doubt.ts';

/**
 * A statement with a known answer that is mixed among the claims, to test whether the reader still
 * reads carefully.
 */
export interface Control {
  readonly text: string;
  /** The right answer. */
  readonly key: Finding;
}

/** Things that hardly any document mentions. A thing that a document does mention is skipped. */
const STRANGERS = ['trombone', 'lighthouse', 'hedgehog', 'marmalade', 'zeppelin', 'tambourine'];

/** Matches the beginning of a sentence that depends on the sentence before. */
const LEANS = /^(?:it|its|they|their|that|this|these|those|he|she|so|then|there|here|if)\b/i;

/** The fewest and the most words of a usable sentence. */
const SENTENCE = { least: 6, most: 40 } as const;

/**
 * If a reader answers this number of controls (statements with known answers) or more wrong, all
 * results of its reading are void. A reader that answers 95 % of all statements rightly
 * loses 1 in 140 readings in this way. A reader that answers 35 % rightly loses three in four.
 */
export const VOIDING_WRONG_CONTROLS = 2;
/** The number of wrong controls that makes a reading void if the reading has fewer controls than `MOST_CONTROLS`. */
const VOIDING_WRONG_OF_FEW = 1;
/**
 * How many controls (statements with a known answer) are mixed among the claims at most. There are
 * fewer if the documents lack suitable sentences.
 */
export const MOST_CONTROLS = 3;
/**
 * The fewest controls of a reading. With fewer, a reader that agrees with everything could never get
 * `VOIDING_WRONG_CONTROLS` of them wrong.
 */
const LEAST_CONTROLS = VOIDING_WRONG_CONTROLS;

/**
 * Returns why all results of a reading are void, or undefined if the reading counts. A reading is void if the reader
 * answered two or more controls (statements with known answers) wrong. Since edition 7 of the rules, one wrong
 * answer is enough if there were fewer than three controls.
 * @param rules the edition of the run's rules
 */
export function explainVoidReading(
  controls: readonly { readonly right: boolean }[],
  rules?: RoundsConfig['rules'],
): string | undefined {
  const wrong = controls.filter(({ right }) => !right).length;
  if (wrong >= VOIDING_WRONG_CONTROLS) return `${wrong} controls of this reading are wrong`;
  const isFew = isSince(rules, 7) && controls.length < MOST_CONTROLS;
  return isFew && wrong >= VOIDING_WRONG_OF_FEW
    ? `${wrong} of only ${formatCount(controls.length, 'control')} of this reading is wrong`
    : undefined;
}

/**
 * Returns whether a finding is void because the reader answered one control wrong in a reading with fewer than
 * three controls. A careful reader makes such an error in one of ten readings with two controls, so the claim is read
 * again in the next round.
 */
export function isVoidOfFew({ why }: { readonly why: string }): boolean {
  return /^1 of only \d controls? of this reading is wrong$/.test(why);
}

/**
 * Makes the controls of a reading (statements with known answers) from sentences of the documents:
 * one true, one with a changed number, and one about a thing that the documents do not mention. A control that
 * cannot be made is left out. Since edition 4 of the rules, there are two of the last kind if neither of the first two
 * can be made.
 * @param rules the edition of the run's rules, because earlier editions chose other controls
 */
export function makeControls(
  documents: readonly Document[],
  seed: number,
  round: number,
  rules?: RoundsConfig['rules'],
): Control[] {
  const purpose = `controls ${round}`;
  const sentences = shuffleItems(documents.flatMap(sentencesOf), seed, purpose);
  const { plain, figured } = isSince(rules, 3)
    ? chooseSound(sentences, documents)
    : chooseAny(sentences, documents);
  const sentenced = [plain, figured].filter((sentence) => sentence !== undefined).length;
  const strangers = shuffleItems(STRANGERS, seed, purpose)
    .filter((word) => findWord(word, documents) === undefined)
    .slice(0, isSince(rules, 4) ? Math.max(1, LEAST_CONTROLS - sentenced) : 1);
  return [
    ...(plain === undefined ? [] : [{ text: plain, key: 'true_in_text' as const }]),
    ...(figured === undefined
      ? []
      : [{ text: changeFigure(figured, documents) ?? '', key: 'false_in_text' as const }]),
    ...strangers.map((word, index) => ({
      text:
        index === 0
          ? `Somebody has checked twice this year that the ${word} is in order.`
          : `The ${word} costs less than it did in the year before.`,
      key: 'absent' as const,
    })),
  ];
}

/** The most sentences that are compared with the whole text. */
const MOST_TRIED = 100;

interface Chosen {
  readonly plain: string | undefined;
  readonly figured: string | undefined;
}

/**
 * Chooses two sentences without regard to the rest of the text: `plain` stays unchanged, and
 * `figured` is the sentence whose number is changed. Both have numbers, because numbers are least
 * debatable.
 */
function chooseAny(sentences: readonly string[], documents: readonly Document[]): Chosen {
  const plain = sentences.find((sentence) => /\d/.test(sentence));
  const figured = sentences.find(
    (sentence) => sentence !== plain && changeFigure(sentence, documents) !== undefined,
  );
  return { plain, figured };
}

/**
 * Chooses sentences that nothing else in the text contradicts. The sentence whose number is changed
 * is chosen first, because few sentences have a number that can be changed.
 */
function chooseSound(sentences: readonly string[], documents: readonly Document[]): Chosen {
  const isSound = createDistinctnessCheck(documents);
  const sound = sentences
    .filter((sentence) => /\d/.test(sentence))
    .slice(0, MOST_TRIED)
    .filter(isSound);
  const figured = sound.find((sentence) => changeFigure(sentence, documents) !== undefined);
  return { plain: sound.find((sentence) => sentence !== figured), figured };
}

/** Returns whole sentences of plain lines, without headings, lists and code. */
function sentencesOf({ text }: Document): string[] {
  return textLines(sanitiseText(text))
    .filter((line) => /^[\p{Lu}]/u.test(line))
    .flatMap((line) => line.match(/[\p{Lu}][^.!?]*[.!?](?=\s|$)/gu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => !LEANS.test(sentence))
    .filter((sentence) => {
      const count = sentence.split(/\s+/).length;
      return count >= SENTENCE.least && count <= SENTENCE.most;
    });
}

/**
 * Returns the sentence with another number that occurs nowhere in the documents. Returns undefined
 * if the sentence does not contain exactly one number, if that number is no whole number, or if no other number is
 * found.
 */
function changeFigure(sentence: string, documents: readonly Document[]): string | undefined {
  const figures = sentence.match(/\d+/g) ?? [];
  const [figure] = figures;
  if (figures.length !== 1 || figure === undefined || /\d[.,]\d/.test(sentence)) return undefined;
  for (const step of [7, 13, 29]) {
    const other = String(Number(figure) + step);
    if (findWord(other, documents) === undefined) return sentence.replace(figure, other);
  }
  return undefined;
}
