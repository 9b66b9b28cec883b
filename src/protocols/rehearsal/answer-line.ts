/** Adds the answer line that some questions require. The stand-in guesses, and is often wrong. */
import type { Scene } from './scene.ts';

const CHOICES = /^The possible answers: (.+)$/m;
const FORM = /^ANSWER: <?(.+)$/m;
/** The highest number that the stand-in guesses, because the numbers in puzzles are small. */
const MOST = 6;

/**
 * Returns the lines with a confidence and a guessed answer with which an evaluation's question requires an answer to
 * end. Empty if the question requires no answer line.
 */
export function answerLines({ about, chance }: Scene): string {
  const question = about.question ?? '';
  const form = FORM.exec(question)?.[1];
  if (form === undefined) return '';
  const sure = chance.between(40, 95);
  return `\n\nCONFIDENCE: ${sure}\nANSWER: ${guessAnswer(question, form, chance)}`;
}

function guessAnswer(question: string, form: string, chance: Scene['chance']): string {
  const [first, ...others] = CHOICES.exec(question)?.[1]?.split(', ') ?? [];
  if (first !== undefined) return chance.pick([first, ...others]);
  if (form.startsWith('FATAL')) {
    const sentences = [...question.matchAll(/^(S\d+)\. /gm)].map(([, id = '']) => id);
    return `FATAL: ${chance.next() < 0.5 ? 'NONE' : chance.pick(['NONE', ...sentences])}`;
  }
  return String(chance.between(0, MOST));
}
