/** Formats structured answers about a board for people, also while they arrive: the matrix, and comparisons. */
import type { AnswerWords } from '../../../text/answers/answer.ts';
import { entry, items } from '../../../text/answers/read.ts';
import { joinLines } from '../../../text/line.ts';

const ANSWERS: ReadonlyMap<string, (answer: unknown) => string> = new Map([
  ['board/agreement', agreementWords],
  ['board/options', optionsWords],
  ['board/comparison', comparisonWords],
]);

/** Formats structured answers of a board's calls as text. */
export const answerWords: AnswerWords = (task, value) => ANSWERS.get(task ?? '')?.(value);

/** Formats a point of the matrix, with those who are for and against it in their words. */
function agreementWords(answer: unknown): string {
  const points = items(answer, 'points').map((point) => {
    const cells = items(point, 'cells').flatMap((cell) => {
      const [advisor, side, quote] = ['advisor', 'side', 'quote'].map((name) => text(cell, name));
      return advisor ? [`- Advisor ${advisor}, ${side}${quote && `: “${quote}”`}`] : [];
    });
    const said = text(point, 'text');
    return [said && `**${said}**`, cells.join('\n')].filter((part) => part !== '').join('\n\n');
  });
  return [...points, optionsWords(answer)].filter((part) => part !== '').join('\n\n');
}

function optionsWords(answer: unknown): string {
  return items(answer, 'same')
    .flatMap((one) => {
      const [option, as] = [text(one, 'option'), text(one, 'as')];
      if (option === '' || as === '') return [];
      return [`- ${option} ${option === as ? 'stands for itself' : `is the same as ${as}`}`];
    })
    .join('\n');
}

function comparisonWords(answer: unknown): string {
  const [change, how] = [text(answer, 'change'), text(answer, 'how')];
  return [change && `**${change}**`, how].filter((part) => part !== '').join('\n\n');
}

/** Returns a field on one line; empty if it is missing or not a text. */
function text(value: unknown, name: string): string {
  const said = entry(value, name);
  return typeof said === 'string' ? joinLines(said) : '';
}
