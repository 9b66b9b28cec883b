/**
 * What the stand-in does at a board beyond talking: ballots, the agreement matrix, the comparison of two
 * recommendations. It quotes what was said letter for letter; only the model named `invents` does not.
 */
import { joinLines } from '../../text/line.ts';
import { Chance } from './chance.ts';
import { INVENTED, sentencesOf } from './quoting.ts';
import { type Scene, said } from './scene.ts';
import { OPTIONS, POINTS, SIDES } from './words/board.ts';

type Option = (typeof OPTIONS)[0];

/** The ballot at the end of an answer. Asked without a panel, a seat wavers with the seed. */
export function ballotTail(scene: Scene): string {
  const { role, topic, seed } = scene;
  const option =
    role === 'baseline'
      ? new Chance('option', topic.question, seed).pick(OPTIONS)
      : ownOption(scene);
  const ballot = ballotOf(scene, option);
  return [
    '## Ballot',
    '',
    `- **Position:** ${ballot.position}`,
    `- **Option:** ${ballot.option}`,
    `- **Confidence:** ${ballot.confidence}`,
  ].join('\n');
}

export function voteAlone(scene: Scene): unknown {
  return ballotOf(scene, ownOption(scene));
}

/** Alone by its own lights, among the others now and then by theirs. */
export function voteAmongPeers(scene: Scene): unknown {
  const { temper, seed, items, chance } = scene;
  if (temper.mood === 'sycophantic')
    return { ...ballotOf(scene, new Chance('herd', seed).pick(OPTIONS)), cites: [] };
  const evidence = items.filter((id) => !id.startsWith('D'));
  const option = chance.next() < 0.75 ? ownOption(scene) : chance.pick(OPTIONS);
  return { ...ballotOf(scene, option), cites: chance.some(evidence, chance.between(1, 2)) };
}

/** A seat's own choice: the same whenever it is asked alone, also with another seed. */
function ownOption({ role, topic }: Scene): Option {
  return new Chance('option', role, topic.question).pick(OPTIONS);
}

function ballotOf(scene: Scene, [option, course]: Option) {
  const confidence = scene.chance.between(55, 85) / 100;
  return { position: `Rehearsal: ${said(scene, course)}.`, option, confidence };
}

/** Where advisors speak of the same words of the question, in sentences of their own. */
export function drawMatrix(scene: Scene): unknown {
  const { items: advisors, heard, topic, model } = scene;
  const own = heard.map(({ text }) => sentencesOf(text));
  const points = POINTS.map((point, index) => ({
    text: said(scene, point),
    cells: advisors.flatMap((advisor, at) => {
      const quote = own[at]?.[index];
      if (quote === undefined) return [];
      return [
        { advisor, side: new Chance('side', advisor, point, topic.question).pick(SIDES), quote },
      ];
    }),
  })).filter(({ cells }) => cells.length > 0);
  if (model === 'invents')
    points[0]?.cells.push({
      advisor: advisors[0] ?? '',
      side: 'for',
      quote: INVENTED,
    });
  return { points, same: [] };
}

/** By the wording alone: it cannot tell what follows from either. */
export function compareCourses({ heard }: Scene): unknown {
  const [one = '', other = ''] = heard.map(({ text }) => joinLines(text));
  if (one === other) return { change: 'same', how: 'Rehearsal: nothing differs.' };
  const opening = (text: string) => text.split(' ').slice(0, 4).join(' ');
  return opening(one) === opening(other)
    ? { change: 'detail', how: 'Rehearsal: the same beginning in other words.' }
    : {
        change: 'course',
        how: `Rehearsal: “${opening(one)} …” takes another way than “${opening(other)} …”.`,
      };
}

/** All options come from one list, where no two are the same choice. */
export function findSame(): unknown {
  return { same: [] };
}
