/**
 * The stand-in's structured answers for a board: ballots, the table of positions, and the comparison
 * of two recommendations. Quotations are exact, except those of the model `invents`.
 */
import { joinLines } from '../../text/line.ts';
import { Chance } from './chance.ts';
import { findQuotableSentences, INVENTED } from './quoting.ts';
import { fillText, type Scene } from './scene.ts';
import { OPTIONS, POINTS, SIDES } from './words/board.ts';

type Option = (typeof OPTIONS)[0];

/**
 * Returns the ballot (the vote) at the end of the stand-in's answer. A seat of the panel votes for
 * its own option. A model that answers without the panel gets an option that depends on the seed.
 */
export function writeBallot(scene: Scene): string {
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

/** Makes the stand-in's answer to the task of voting before seeing any other vote. */
export function voteAlone(scene: Scene): unknown {
  return ballotOf(scene, ownOption(scene));
}

/**
 * Makes a placeholder vote for a seat that was shown all records of the deliberation. In three of
 * four cases, it votes for its own option, otherwise for a random one. If the rehearsal is to show
 * a sycophantic panel, all seats vote for the same option.
 */
export function voteAmongPeers(scene: Scene): unknown {
  const { temper, seed, items, chance } = scene;
  if (temper.mood === 'sycophantic')
    return { ...ballotOf(scene, new Chance('herd', seed).pick(OPTIONS)), cites: [] };
  const evidence = items.filter((id) => !id.startsWith('D'));
  const option = chance.next() < 0.75 ? ownOption(scene) : chance.pick(OPTIONS);
  return { ...ballotOf(scene, option), cites: chance.some(evidence, chance.between(1, 2)) };
}

/** Returns a seat's own choice, which is the same in every call, whatever the seed. */
function ownOption({ role, topic }: Scene): Option {
  return new Chance('option', role, topic.question).pick(OPTIONS);
}

function ballotOf(scene: Scene, [option, course]: Option) {
  const confidence = scene.chance.between(55, 85) / 100;
  return { position: `Rehearsal: ${fillText(scene, course)}.`, option, confidence };
}

/**
 * Makes the stand-in's answer to the task of filling in a table of positions (who is for and against which
 * point). The points are placeholders; for each advisor with enough sentences to quote, the answer
 * has a random side and a sentence that the advisor said. With the model name `invents`, it also has a sentence that
 * nobody said.
 */
export function drawPositions(scene: Scene): unknown {
  const { items: advisors, heard, topic, model } = scene;
  const own = heard.map(({ text }) => findQuotableSentences(text));
  const points = POINTS.map((point, index) => ({
    text: fillText(scene, point),
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

/**
 * Makes the stand-in's answer to the task of comparing two recommendations, by their wording alone.
 */
export function compareCourses({ heard }: Scene): unknown {
  const [one = '', other = ''] = heard.map(({ text }) => joinLines(text));
  if (one === other) return { change: 'same', how: 'Rehearsal: nothing differs.' };
  const getOpening = (text: string) => text.split(' ').slice(0, 4).join(' ');
  return getOpening(one) === getOpening(other)
    ? { change: 'detail', how: 'Rehearsal: the same beginning in other words.' }
    : {
        change: 'course',
        how: `Rehearsal: “${getOpening(one)} …” takes another way than “${getOpening(other)} …”.`,
      };
}

/**
 * Makes the stand-in's answer to the task of finding options that mean the same choice: none, because code has
 * already grouped equal wordings, and other wordings of the stand-in never mean the same.
 */
export function findSame(): unknown {
  return { same: [] };
}
