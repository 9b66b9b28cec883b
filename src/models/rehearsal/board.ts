/**
 * What the stand-in does at a board beyond talking: ballots, the agreement matrix, the comparison of two
 * recommendations. It quotes what was said letter for letter; only the model named `invents` does not.
 */
import { Chance } from './chance.ts';
import { type Acting, quotable, type Scene } from './scene.ts';
import { choices, inside } from './shape.ts';
import { answersIn } from './topic.ts';
import { ownBallot } from './voting.ts';

/** The ballot at the end of an answer, where the task asks for one. */
export function ballotTail(scene: Scene): string | undefined {
  if (!/^## Ballot$/m.test(scene.task)) return undefined;
  const { position, option, confidence } = ownBallot(scene);
  return [
    '## Ballot',
    '',
    `- **Position:** ${position}`,
    `- **Option:** ${option}`,
    `- **Confidence:** ${confidence}`,
  ].join('\n');
}

/** Where advisors speak of the same words of the question, in sentences of their own. */
export function drawMatrix({ prompt, schema, topic, model }: Acting): unknown {
  const advisors = choices(inside(schema, 'points', '[]', 'cells', '[]', 'advisor'));
  const answers = answersIn(prompt, 'answer');
  const sentences = advisors.map((advisor, index) => {
    const answer = answers[index];
    const own = answer === undefined ? [] : quotable([{ ...answer, from: '' }]);
    return { advisor, own: own.map(({ text }) => text) };
  });
  const points = POINTS.map((point, index) => ({
    text: `Rehearsal: ${point.replaceAll('%', topic.words[index % topic.words.length] ?? '')}`,
    cells: sentences.flatMap(({ advisor, own }) => {
      const said = own[index];
      if (said === undefined) return [];
      const side = new Chance('side', advisor, point, topic.question).pick(SIDES);
      return [{ advisor, side, quote: said }];
    }),
  })).filter(({ cells }) => cells.length > 0);
  if (model === 'invents')
    points[0]?.cells.push({
      advisor: advisors[0] ?? '',
      side: 'for',
      quote: 'words that nobody at this table has ever said',
    });
  return inside(schema, 'same') === undefined ? { points } : { points, same: [] };
}

const SIDES = ['for', 'for', 'against', 'partly'] as const;
const POINTS = [
  'the % can be changed in small parts.',
  'what is said about the % can be counted before anything is decided.',
  'the price of waiting is higher than that of the %.',
  'somebody can be named who answers for the %.',
] as const;

/** By the wording alone: it cannot tell what follows from either. */
export function compareCourses({ prompt }: Acting): unknown {
  const [one = '', other = ''] = answersIn(prompt, 'piece').map(({ text }) =>
    text.replace(/\s+/g, ' ').trim(),
  );
  if (one === other) return { change: 'same', how: 'Rehearsal: nothing differs.' };
  const opening = (text: string) => text.split(' ').slice(0, 4).join(' ');
  return opening(one) === opening(other)
    ? { change: 'detail', how: 'Rehearsal: the same beginning in other words.' }
    : {
        change: 'course',
        how: `Rehearsal: “${opening(one)} …” takes another way than “${opening(other)} …”.`,
      };
}
