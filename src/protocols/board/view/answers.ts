/** Formats structured answers about a board for people, also while they arrive: the table, and comparisons. */
import { lineOf } from '../../../text/answers/read.ts';
import { answerWriter } from '../../../text/answers/templates.ts';

const { each, listed, answerWords: formatter } = answerWriter();

const OPTIONS = listed('same', '{option} {as}', {
  as: (pair) => {
    const [option, as] = [lineOf(pair, 'option'), lineOf(pair, 'as')];
    return option === as ? 'stands for itself' : as && `is the same as ${as}`;
  },
});

/**
 * Formats a model's answer by the name of its task, such as `board/options`. Returns undefined if
 * no task of boards has this name.
 */
export const answerWords = formatter({
  // The model's answer with a table of positions is shown to people point by point: who is for and against it, and
  // their words.
  'board/agreement': [
    each('points', '**{text}**', listed('cells', 'Advisor {advisor}, {side?}[: “{quote}”]')),
    OPTIONS,
  ],
  'board/options': OPTIONS,
  'board/comparison': ['**{change}**', '{how}'],
});
