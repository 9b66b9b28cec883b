/** How a rehearsed seat votes: alone by its own lights, among the others now and then by theirs. */
import { Chance } from './chance.ts';
import { type Acting, idsIn, type Scene } from './scene.ts';

type Option = readonly [name: string, course: string];
const OPTIONS: readonly [Option, ...Option[]] = [
  ['Begin small', 'begin with the % in one place, for # weeks, and judge it on the day agreed'],
  ['Wait for the count', 'leave the % as it is until # weeks have been counted'],
  ['All at once', 'change the % in one go, with # people and a way back'],
];

export function voteAlone(scene: Acting): unknown {
  return ballot(scene, ownOption(scene));
}

export function voteAmongPeers(scene: Acting): unknown {
  const { temper, seed, blocks, chance } = scene;
  const evidence = idsIn(blocks).filter((id) => !id.startsWith('D'));
  if (temper.mood === 'sycophantic')
    return { ...ballot(scene, new Chance('herd', seed).pick(OPTIONS)), cites: [] };
  const option = chance.next() < 0.75 ? ownOption(scene) : chance.pick(OPTIONS);
  return { ...ballot(scene, option), cites: chance.some(evidence, chance.between(1, 2)) };
}

/** A seat's own choice: the same whenever it is asked alone, also with another seed. */
function ownOption({ role, topic }: Scene): Option {
  return new Chance('option', role, topic.question).pick(OPTIONS);
}

/** What a seat of a board puts on its ballot. Asked without a panel, it wavers with the seed. */
export function ownBallot(scene: Scene): Ballot {
  const { role, topic, seed } = scene;
  const wavers = role === 'baseline';
  const option = wavers
    ? new Chance('option', topic.question, seed).pick(OPTIONS)
    : ownOption(scene);
  return ballot(scene, option);
}

interface Ballot {
  readonly position: string;
  readonly option: string;
  readonly confidence: number;
}

function ballot({ topic, chance }: Scene, [option, course]: Option): Ballot {
  const said = course.replaceAll('%', topic.words[0]).replaceAll('#', String(chance.between(2, 9)));
  return { position: `Rehearsal: ${said}.`, option, confidence: chance.between(55, 85) / 100 };
}

/** All options come from one list, where no two are the same choice. */
export function findSame(): unknown {
  return { same: [] };
}
