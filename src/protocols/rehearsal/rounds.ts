/**
 * Acts out structured deliberation as a panel would that goes well, or wrong in the way its model is named
 * for (`temper.ts`). Ids and places come from what was handed over or the schema offers; statuses are none
 * of its business.
 */
import { entryOf } from '../../kernel/entry.ts';
import { Chance } from './chance.ts';
import { Filling, some } from './fill.ts';
import { sentencesOf } from './quoting.ts';
import { filled, mostOf, roundIn, type Scene, said } from './scene.ts';
import { verdictOf } from './temper.ts';
import * as words from './words/rounds.ts';

/** The guardian's form, with what others said as its evidence. */
export function invariant(scene: Scene): unknown {
  const { heard, topic, chance } = scene;
  const filling = new Filling(topic, chance);
  const quotes = heard
    .filter(({ from }) => from !== 'the log')
    .flatMap(({ from, text }) => sentencesOf(text).map((quote) => ({ quote, source: from })));
  const evidence =
    quotes.length > 0
      ? chance.some(quotes, 3)
      : [{ quote: topic.question, source: 'the question' }];
  return {
    ...Object(filling.fill(words.INVARIANT)),
    evidence: evidence.map((one) => ({ ...one, bears: filling.fill(words.BEARS) })),
  };
}

/** The critic's form: what is on record may be its target. */
export function attack(scene: Scene): unknown {
  const known = scene.items.filter((id) => !id.startsWith('V'));
  const earlier = scene.chance.some(known, 1)[0];
  const form = words.FORMS['rounds/artifact/critic'] ?? '';
  return filled(scene, form, earlier === undefined ? {} : { earlier });
}

export function check(scene: Scene): unknown {
  const { temper, seed, about, round, items, chance } = scene;
  const result = verdictOf(temper, seed, round, about.turn ?? 1);
  const refs = evidence(items, chance);
  const { why, note } = words.VERDICTS[result];
  return {
    reasoning: `Rehearsal: the two were laid side by side at ${refs.join(' and ')}. ${said(scene, why)}`,
    result,
    evidence_refs: refs,
    notes: `Rehearsal: ${said(scene, note)}.`,
  };
}

/** Anchors of an artifact that carry an argument. */
const TELLING = ['#attack', '#trace', '#friction', '#step', '#evidence', '#invariant'];

/** Two or three places, from different artifacts where there are several, and such as carry an argument. */
function evidence(places: readonly string[], chance: Chance): string[] {
  const telling = places.filter((place) => TELLING.some((anchor) => place.includes(anchor)));
  const files = Map.groupBy(
    telling.length >= 2 ? telling : places,
    (place) => place.split('#', 1)[0],
  );
  const each = chance.some([...files.values()], 2).flatMap((all) => chance.some(all, 1));
  const rest = places.filter((place) => !each.includes(place));
  const more = Math.max(2 - each.length, chance.next() < 0.35 ? 1 : 0);
  return [...each, ...chance.some(rest, more)];
}

const PANEL = ['action', 'guardian', 'observer', 'critic'];

export function raise(scene: Scene): unknown {
  const own = entryOf(words.CLAIMS, scene.role) ?? words.CLAIMS.action ?? [];
  const kept = scene.chance.some(own, claimsOf(scene));
  return { claims: filled(scene, some(kept.length, kept)) };
}

/** How many claims this seat raises. Seats do not hear of each other, but agree by the run's seed. */
function claimsOf({ about, schema, temper, seed, role, round }: Scene): number {
  const { count: { least, most } = { least: 1, most: 2 }, absent } = about;
  const chance = new Chance('claims', seed, round);
  // As many as the schema lets through.
  if (temper.mood === 'inflating') return mostOf(schema, 'claims') ?? most;
  // About one claim a round, from whoever it may be.
  if (temper.mood === 'starving')
    return chance.some(PANEL, chance.between(0, 2)).includes(role) ? 1 : 0;
  const present = PANEL.filter((one) => one !== absent);
  const missing = PANEL.length - present.length;
  const generous = chance.some(present, chance.between(1 + missing, 3)).includes(role);
  return generous ? most : least;
}

/** Which claims the verdicts bear on. A claim that says that something fails is confirmed by what breaks. */
export function weigh(scene: Scene): unknown {
  const { temper, heard, round, topic, chance } = scene;
  const verdicts = heard.map(({ from }) => from).filter((id) => id.startsWith('V-'));
  const rate = temper.weighed(round);
  return {
    bearings: heard
      .filter(({ from }) => from.startsWith('C-') && chance.next() < rate)
      .flatMap(({ from: claim, text }) => {
        const able = verdicts.filter((id) => roundIn(id) >= roundIn(claim));
        const [verification] = chance.some(able, 1);
        if (verification === undefined) return [];
        return [
          {
            verification,
            claim,
            stance: (text.split('\n')[0] ?? '').includes(' fails ') ? 'attacks' : 'upholds',
            bearing: chance.next() < 0.75 ? 'whole' : 'part',
            why: `Rehearsal: ${verification} tried what ${claim} says of the ${chance.pick(topic.words)}.`,
          },
        ];
      }),
  };
}

export function decide(scene: Scene): unknown {
  const { temper, round, chance, items: ids } = scene;
  const lost = round >= temper.departure;
  const since = lost ? temper.departure : 1;
  const known = (kind: string, from = since) =>
    ids.filter((id) => id.startsWith(kind) && roundIn(id) >= from);
  const earlier = known('D-');
  // The first decision of a round carries on the thread of the first ones before it.
  const thread = earlier.filter((id) => id.endsWith('-1')).slice(-1);
  const cites = (first: boolean) => [
    ...chance.some(known('C-', Math.max(since, round - 1)), 1),
    ...chance.some(known('V-', round), chance.next() < 0.5 ? 1 : 0),
    ...(first ? thread : chance.some(earlier, chance.next() < 0.5 ? 1 : 0)),
  ];
  const decisions = chance.some(words.DECISIONS, chance.pick([1, 2, 2, 3])).map((course, index) => {
    const found = cites(index === 0);
    const cited = found.length > 0 ? found : ids.slice(-1);
    return {
      text: said(scene, lost ? words.LOST_DECISION : course),
      cites: (cited.length > 0 ? cited : ['C-1-1']).map((id) => ({
        id,
        relation: id.startsWith('V') ? 'supported-by' : 'based-on',
      })),
      made_by: chance.pick(['consensus', 'round_lead', 'round_lead', 'adversary_concession']),
    };
  });
  return { decisions, ...Object(filled(scene, words.OPEN)) };
}

export function drift(scene: Scene): unknown {
  const { temper, round, chance } = scene;
  const partial = temper.mood === 'overrunning' && chance.next() < 0.6;
  return filled(
    scene,
    words.DRIFT[round >= temper.departure ? 'FAIL' : partial ? 'PARTIAL' : 'PASS'],
  );
}

export function predict(scene: Scene): unknown {
  const avoids = scene.temper.mood === 'stress-avoiding';
  return filled(scene, avoids ? words.NO_DIFFERENCE : words.PREDICTIONS, {
    absent: scene.about.absent ?? 'absent role',
  });
}

/** What became of each prediction. */
export function compare(scene: Scene): unknown {
  return {
    observed: scene.items.map((prediction) => ({
      prediction,
      ...Object(filled(scene, words.HAPPENED)),
    })),
    decorative: false,
    notes: 'Rehearsal: the round lacks what the absent role would have brought.',
  };
}
