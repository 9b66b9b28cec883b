/** What the verifier of a rehearsed deliberation answers. */
import type { Chance } from './chance.ts';
import { isAttack } from './claims.ts';
import { type Acting, idsIn, listedIn, roundOf } from './scene.ts';
import { choices, inside } from './shape.ts';
import { verdictOf } from './temper.ts';

export function check({ schema, temper, seed, task, topic, chance }: Acting): unknown {
  const offered = choices(inside(schema, 'evidence_refs', '[]'));
  const places = offered.length > 0 ? offered : placesIn(task);
  const round = Math.max(
    1,
    ...places.map((place) => Number(/round_(\d+)\//.exec(place)?.[1] ?? 1)),
  );
  const number = Number(/Check (\d)/.exec(task)?.[1] ?? 1);
  const result = verdictOf(temper, seed, round, number);
  const refs = evidence(places, chance);
  const [word, other = word] = topic.words;
  return {
    reasoning: `Rehearsal: the two were laid side by side at ${refs.join(' and ')}. ${
      {
        BROKEN: `What the one expects of the ${word} does not happen in the other, under conditions that occur.`,
        ROBUST: `What the one tries, the other has a guard against: the copy of the ${word} is looked at first.`,
        UNCLEAR: `They speak of the same ${word}, and neither reaches the point at which the other would have to answer.`,
      }[result]
    }`,
    result,
    evidence_refs: refs,
    notes: `Rehearsal: ${
      {
        BROKEN: `the state of the ${other} after the step is not the one that was promised`,
        ROBUST: `the guard on the ${other} held where it was tried`,
        UNCLEAR: `the case of the ${other} is argued and not shown`,
      }[result]
    }.`,
  };
}

/** Two or three places, from different artifacts where there are several, and such as carry an argument. */
function evidence(places: readonly string[], chance: Chance): string[] {
  const telling = places.filter((one) =>
    /#(attack|trace|friction|step|evidence|invariant)/.test(one),
  );
  const from = new Map<string, string[]>();
  for (const place of telling.length >= 2 ? telling : places) {
    const [file = ''] = place.split('#', 1);
    from.set(file, [...(from.get(file) ?? []), place]);
  }
  const each = chance.some([...from.values()], 2).flatMap((all) => chance.some(all, 1));
  const rest = places.filter((place) => !each.includes(place));
  const more = Math.max(2 - each.length, chance.next() < 0.35 ? 1 : 0);
  return [...each, ...chance.some(rest, more)];
}

export function weigh({ schema, temper, blocks, topic, chance }: Acting): unknown {
  const verdicts = choices(inside(schema, 'bearings', '[]', 'verification'));
  const claims = choices(inside(schema, 'bearings', '[]', 'claim'));
  const rate = temper.weighed(roundOf(verdicts));
  return {
    bearings: claims
      .filter(() => chance.next() < rate)
      .flatMap((claim) => {
        const able = verdicts.filter((id) => roundOf([id]) >= roundOf([claim]));
        const [verification] = chance.some(able, 1);
        const text = blocks.find(({ from }) => from === claim)?.text ?? '';
        if (verification === undefined) return [];
        return [
          {
            verification,
            claim,
            stance: isAttack(text) ? 'attacks' : 'upholds',
            bearing: chance.next() < 0.75 ? 'whole' : 'part',
            why: `Rehearsal: ${verification} tried what ${claim} says of the ${chance.pick(topic.words)}.`,
          },
        ];
      }),
  };
}

export function drift({ temper, blocks, topic, chance }: Acting): unknown {
  if (roundOf(idsIn(blocks)) >= temper.departure)
    return {
      verdict: 'FAIL',
      deviation_score: chance.between(4, 5),
      notes: `Rehearsal: the last decisions are about the deliberation itself and no longer about “${topic.subject}”.`,
    };
  const partial = temper.mood === 'overrunning' && chance.next() < 0.6;
  return {
    verdict: partial ? 'PARTIAL' : 'PASS',
    deviation_score: partial ? 3 : chance.between(1, 2),
    notes: partial
      ? `Rehearsal: half of the decisions answer another question than “${topic.subject}”.`
      : `Rehearsal: every decision names something about “${topic.subject}”.`,
  };
}

export function compare({ blocks, chance }: Acting): unknown {
  const predicted = blocks.find(({ from }) => from === 'the prediction')?.text ?? '';
  return {
    observed: listedIn(predicted).map((prediction) => ({
      prediction,
      happened: chance.pick(['yes', 'yes', 'partly', 'no']),
      where: chance.pick([
        'in the verdicts of the round',
        'in the claims raised',
        'in the decisions',
      ]),
    })),
    decorative: false,
    notes: 'Rehearsal: the round lacks what the absent role would have brought.',
  };
}

/** What the task lists: `path#anchor`, and further anchors of the same file behind it. */
function placesIn(task: string): string[] {
  return listedIn(task).flatMap((item) => {
    const [, file = ''] = /^([^\s#]+)#/.exec(item) ?? [];
    return file === '' ? [] : (item.match(/#[\w-]+/g) ?? []).map((anchor) => `${file}${anchor}`);
  });
}
