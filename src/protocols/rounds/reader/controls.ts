/**
 * Sentences that code makes from the documents, knowing what they are: put among the claims that a
 * reader decides, they show whether it still reads. They only raise an alarm; nothing is turned back.
 */
import { shuffle } from '../../../kernel/chance.ts';
import { textLines } from '../../../text/lines.ts';
import { sanitise } from '../../../text/sanitise.ts';
import type { Finding } from '../../common/findings.ts';
import { type Document, findWord } from '../records/documents.ts';

export interface Control {
  readonly text: string;
  readonly key: Finding;
}

/** Things that hardly any document speaks of; one that does is passed over. */
const STRANGERS = ['trombone', 'lighthouse', 'hedgehog', 'marmalade', 'zeppelin', 'tambourine'];

/** A sentence that begins so says nothing without the one before it. */
const LEANS = /^(?:it|its|they|their|that|this|these|those|he|she|so|then|there|here|if)\b/i;

/** Words that a sentence needs to be one, and the most that anybody wants to read again. */
const SENTENCE = { least: 6, most: 40 } as const;

/** Up to three, of three kinds: a sentence as it stands, one with another figure, and a stranger. */
export function controlsFor(
  documents: readonly Document[],
  seed: number,
  round: number,
): Control[] {
  const purpose = `controls ${round}`;
  const sentences = shuffle(documents.flatMap(sentencesOf), seed, purpose);
  // A sentence that a document contradicts elsewhere is not true in it: figures are the least argued.
  const plain = sentences.find((one) => /\d/.test(one));
  const figured = sentences.find(
    (one) => one !== plain && changeFigure(one, documents) !== undefined,
  );
  const stranger = shuffle(STRANGERS, seed, purpose).find(
    (word) => findWord(word, documents) === undefined,
  );
  return [
    ...(plain === undefined ? [] : [{ text: plain, key: 'true_in_text' as const }]),
    ...(figured === undefined
      ? []
      : [{ text: changeFigure(figured, documents) ?? '', key: 'false_in_text' as const }]),
    ...(stranger === undefined
      ? []
      : [
          {
            text: `Somebody has checked twice this year that the ${stranger} is in order.`,
            key: 'absent' as const,
          },
        ]),
  ];
}

/** Whole sentences of plain lines; headings, lists of names and code are left alone. */
function sentencesOf({ text }: Document): string[] {
  return textLines(sanitise(text))
    .filter((line) => /^[\p{Lu}]/u.test(line))
    .flatMap((line) => line.match(/[\p{Lu}][^.!?]*[.!?](?=\s|$)/gu) ?? [])
    .map((one) => one.trim())
    .filter((one) => !LEANS.test(one))
    .filter((one) => {
      const count = one.split(/\s+/).length;
      return count >= SENTENCE.least && count <= SENTENCE.most;
    });
}

/** The sentence with its one whole number made another that stands nowhere; undefined where there is none. */
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
