/**
 * Acts out structured deliberation: knows the tasks by the shape of the answer they want, and fills it
 * as a panel would that goes well, or wrong in the way its model is named for (`temper.ts`). Ids and
 * places come from what the schema offers or the prompt shows; statuses are none of its business.
 */
import type { JsonSchema } from '../provider.ts';
import { attackCase, invariantCheck, traceSet, walkthrough } from './artifacts.ts';
import { compareCourses, drawMatrix } from './board.ts';
import { claimsOf, sharesOf } from './claims.ts';
import { chooseRoute, supervise } from './company.ts';
import { type Acting, absentIn, idsIn, quotable, roundOf, type Scene } from './scene.ts';
import { choices, inside, isObjectOf } from './shape.ts';
import { assent, lengthIn, talk } from './talk.ts';
import { temperOf } from './temper.ts';
import { answersIn } from './topic.ts';
import { check, compare, drift, weigh } from './verifying.ts';
import { findSame, voteAlone, voteAmongPeers } from './voting.ts';

/** The answer to a task with a schema; undefined where it is none of a deliberation. */
export function enact(schema: JsonSchema, scene: Scene): unknown {
  const task = TASKS.find(({ fits }) => fits(schema));
  if (task === undefined) return undefined;
  return task.act({
    ...scene,
    schema,
    temper: temperOf(scene.model, scene.seed),
    blocks: answersIn(scene.prompt),
  });
}

/** Words where words are asked for; undefined where the task names no measure. */
export function speak(scene: Scene): string | undefined {
  const { model, role, seed, prompt, task, topic, chance } = scene;
  const length = lengthIn(task);
  if (length === undefined) return undefined;
  const { mood } = temperOf(model, seed);
  // The lead is asked for more than those who add to it.
  if (mood === 'dominated' && length < 400) return assent(topic);
  return talk(role, topic, length, idsIn(answersIn(prompt)), chance);
}

interface Task {
  fits(schema: JsonSchema): boolean;
  act(scene: Acting): unknown;
}

const TASKS: readonly Task[] = [
  {
    fits: (schema) =>
      isObjectOf(schema, 'title', 'traces', 'self_score') &&
      isObjectOf(
        inside(schema, 'traces', '[]'),
        'kind',
        'name',
        'initial_state',
        'steps',
        'outcome',
      ),
    act: ({ topic, chance }) => traceSet(topic, chance),
  },
  {
    fits: (schema) =>
      isObjectOf(
        schema,
        ...['title', 'invariant', 'measured_by', 'tolerance', 'verdict', 'evidence', 'confidence'],
      ),
    act: ({ topic, chance, blocks }) => invariantCheck(topic, quotable(blocks), chance),
  },
  {
    fits: (schema) =>
      isObjectOf(
        schema,
        ...['title', 'persona', 'goal', 'starting_context', 'steps', 'friction', 'goal_reached'],
      ),
    act: ({ topic, chance }) => walkthrough(topic, chance),
  },
  {
    fits: (schema) =>
      isObjectOf(
        schema,
        ...['title', 'target', 'hypothesis', 'preconditions', 'attack_steps'],
        ...['load_bearing_assumption', 'verdict', 'confidence'],
      ),
    act: ({ topic, chance, blocks }) =>
      attackCase(
        topic,
        chance.some(
          idsIn(blocks).filter((id) => !id.startsWith('V')),
          1,
        ),
        chance,
      ),
  },
  {
    fits: (schema) => isObjectOf(schema, 'reasoning', 'result', 'evidence_refs', 'notes'),
    act: check,
  },
  {
    fits: (schema) =>
      isObjectOf(schema, 'claims') &&
      isObjectOf(inside(schema, 'claims', '[]'), 'text', 'testable_as', 'supersedes'),
    act: raise,
  },
  {
    fits: (schema) =>
      isObjectOf(
        inside(schema, 'bearings', '[]'),
        ...['verification', 'claim', 'stance', 'bearing', 'why'],
      ),
    act: weigh,
  },
  {
    fits: (schema) =>
      isObjectOf(schema, 'decisions', 'tensions', 'architecture_impact') &&
      isObjectOf(inside(schema, 'decisions', '[]'), 'text', 'cites', 'made_by'),
    act: decide,
  },
  { fits: (schema) => isObjectOf(schema, 'verdict', 'deviation_score', 'notes'), act: drift },
  { fits: (schema) => isObjectOf(schema, 'signature'), act: predict },
  { fits: (schema) => isObjectOf(schema, 'position', 'option', 'confidence'), act: voteAlone },
  {
    fits: (schema) => isObjectOf(schema, 'position', 'option', 'confidence', 'cites'),
    act: voteAmongPeers,
  },
  {
    fits: (schema) =>
      isObjectOf(schema, 'same') && isObjectOf(inside(schema, 'same', '[]'), 'option', 'as'),
    act: findSame,
  },
  {
    fits: (schema) => isObjectOf(inside(schema, 'points', '[]'), 'text', 'cells'),
    act: drawMatrix,
  },
  { fits: (schema) => isObjectOf(schema, 'change', 'how'), act: compareCourses },
  { fits: (schema) => isObjectOf(schema, 'observed', 'decorative', 'notes'), act: compare },
  { fits: (schema) => isObjectOf(schema, 'agent', 'reason', 'message'), act: chooseRoute },
  { fits: (schema) => isObjectOf(schema, 'action', 'text'), act: supervise },
];

function raise({ role, temper, seed, task, topic, chance, blocks, schema }: Acting): unknown {
  const asked = /(\d+) to (\d+) claim|exactly (\d+) claim/.exec(task);
  const least = Number(asked?.[1] ?? asked?.[3] ?? 1);
  const most = Number(asked?.[2] ?? asked?.[3] ?? 2);
  const room = Number(inside(schema, 'claims')?.maxItems ?? most);
  const round = roundOf(idsIn(blocks));
  const count = sharesOf(temper, seed, {
    round,
    role,
    least,
    most,
    room,
    absent: absentIn(blocks.at(-1)?.text ?? ''),
  });
  return { claims: claimsOf(role, topic, count, chance) };
}

const COURSES = [
  'Begin with the % in one place, for # weeks, and stop on the day that was agreed.',
  'Keep the % as it is until the count is there; ask again in # weeks.',
  'Give the % one owner, by name, before anything else is changed.',
  'Write down what would count as failure of the %, and have it signed by somebody who is against it.',
  'Take the objection about the % as a condition: nothing goes on until it has been tried.',
] as const;

function decide({ schema, temper, blocks, topic, chance }: Acting): unknown {
  const offered = choices(inside(schema, 'decisions', '[]', 'cites', '[]', 'id'));
  const ids = offered.length > 0 ? offered : idsIn(blocks);
  const round = roundOf(ids);
  const lost = round >= temper.departure;
  const since = lost ? temper.departure : 1;
  const known = (kind: string, from = since) =>
    ids.filter((id) => id.startsWith(kind) && roundOf([id]) >= from);
  const earlier = known('D-');
  // The first decision of a round carries on the thread of the first ones before it.
  const thread = earlier.filter((id) => id.endsWith('-1')).slice(-1);
  const cites = (first: boolean) => [
    ...chance.some(known('C-', Math.max(since, round - 1)), 1),
    ...chance.some(known('V-', round), chance.next() < 0.5 ? 1 : 0),
    ...(first ? thread : chance.some(earlier, chance.next() < 0.5 ? 1 : 0)),
  ];
  return {
    decisions: chance.some(COURSES, chance.pick([1, 2, 2, 3])).map((course, index) => {
      const found = cites(index === 0);
      const cited = found.length > 0 ? found : ids.slice(-1);
      return {
        text: lost
          ? `Leave that aside and settle first who writes the minutes, in ${chance.between(2, 9)} weeks.`
          : course
              .replaceAll('%', chance.pick(topic.words))
              .replaceAll('#', String(chance.between(2, 9))),
        cites: (cited.length > 0 ? cited : ['C-1-1']).map((id) => ({
          id,
          relation: id.startsWith('V') ? 'supported-by' : 'based-on',
        })),
        made_by: chance.pick(['consensus', 'round_lead', 'round_lead', 'adversary_concession']),
      };
    }),
    tensions: chance.some(
      topic.words.map(
        (word) => `Whether the ${word} can be had without losing what it gives today.`,
      ),
      chance.between(1, 2),
    ),
    architecture_impact: `Rehearsal: the ${chance.pick(topic.words)} gets an owner and a way back; nothing else changes yet.`,
  };
}

function predict({ temper, task, topic, chance }: Acting): unknown {
  const who = absentIn(task) ?? 'absent role';
  if (temper.mood === 'stress-avoiding')
    return { signature: [`Rehearsal: no difference is expected without the ${who}.`] };
  const lines = [
    `Rehearsal: nobody asks the ${who}’s question about the ${topic.words[0]}.`,
    `Fewer of the checks apply, and those that do end ROBUST more often.`,
    `The decisions say nothing of what the ${who} would have handed in.`,
    `A claim about the ${topic.words.at(-1) ?? topic.words[0]} is raised that the ${who} would have refuted.`,
  ];
  return { signature: chance.some(lines.slice(1), chance.between(1, 2)).concat(lines.slice(0, 1)) };
}
