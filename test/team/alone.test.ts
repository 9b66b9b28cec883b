/** A workstream that others build on is verified on its own as soon as its tasks are done. */
import { expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import type { Task } from '../../src/protocols/team/forms/plan.ts';
import { findStreamsToWaitFor } from '../../src/protocols/team/rules/waits-for.ts';
import { makeStopped } from '../kernel/scripted-models.ts';
import {
  isFirstTurn,
  makeCorrection,
  makeScriptedModels,
  makeWriter,
  type Script,
  TeamRunner,
  type TeamRunResult,
} from './harness.ts';
import {
  makeNotesPlan,
  makeNotesRepository,
  makeNoteTask,
  makePassingVerdict,
  makeSoundScript,
  notePathOf,
  noteTextOf,
} from './notes.ts';
import { makeValidTask } from './rules/values.ts';

const V4 = { version: 4 } as const;

const makeWorkstream = (id: string, own: Task, after: readonly string[] = []) => ({
  id,
  goal: `Write the notes of ${id}.`,
  path: 'T4-T5' as const,
  depends_on: [...after],
  covers: [...own.covers],
  retry_multiplier: 1 as const,
  task: own,
});
const FIRST = makeNoteTask('first', { workstream: 'records' });
const SECOND = makeNoteTask('second', { workstream: 'page', covers: ['R2'] });
const THIRD = makeNoteTask('third', { workstream: 'other', covers: ['R3'] });
const TASKS = [FIRST, SECOND, THIRD];
const PLAN = makeNotesPlan('T4-T5', TASKS, {
  workstreams: [
    makeWorkstream('records', FIRST),
    makeWorkstream('page', SECOND, ['records']),
    makeWorkstream('other', THIRD),
  ],
});

/** Returns a verdict that every requirement asked about is met, with a place for each. */
function passAll({ about }: ModelRequest): object {
  return { ...makePassingVerdict(TASKS, about?.items ?? []), drops: [] };
}

function getItem({ about }: ModelRequest): string {
  return about?.items?.[0] ?? '';
}

const makeRefusal = (cause = 'work') => ({
  verdict: 'fail',
  items: [
    {
      requirement: 'R1',
      met: 'no',
      path: notePathOf('first'),
      quote: 'note of first',
      why: 'half of it',
    },
  ],
  defects: [],
  cause,
  probe: null,
  drops: [],
});

/** Returns a script in which the first workstream is refused until its second attempt, which writes more. */
function makeScript(more: Script = {}, cause = 'work'): Script {
  const tries = new Map<string, number>();
  return makeSoundScript(PLAN, TASKS, {
    work: (asked) => {
      const id = getItem(asked);
      if (isFirstTurn(asked)) tries.set(id, (tries.get(id) ?? 0) + 1);
      const again = (tries.get(id) ?? 0) > 1 ? 'And the rest of it.\n' : '';
      return makeWriter({ [notePathOf(id)]: `${noteTextOf(id)}${again}` })(asked);
    },
    verify: (asked) => {
      const isFirst = asked.about?.items?.includes('R1') === true && (tries.get('first') ?? 0) < 2;
      return isFirst ? makeRefusal(cause) : passAll(asked);
    },
    correct: (asked) => makeCorrection(asked, { test_changes: [] }),
    ...more,
  });
}

/** Returns the calls in order: the kind of each, and the task or requirements that it was about. */
function readCalls({ models }: Pick<TeamRunResult, 'models'>): string[] {
  return models.requests.flatMap((request) =>
    /work|verify|correct/.test(request.task) && isFirstTurn(request)
      ? [`${request.task.replace('team/', '')} ${(request.about?.items ?? []).join()}`]
      : [],
  );
}

it('a workstream is verified before the workstreams that depend on it begin', async () => {
  const held = await new TeamRunner(makeNotesRepository()).begin({
    config: V4,
    script: makeScript(),
  });
  expect(held.ending).toEqual({ status: 'done' });
  const all = readCalls(held);
  expect(all.filter((call) => call === 'verify R1')).toHaveLength(4);
  expect(all.indexOf('work second')).toBeGreaterThan(all.lastIndexOf('verify R1'));
  // No workstream depends on `page` (R2) or `other` (R3), so R2 and R3 are verified only with the whole work.
  expect(all.filter((call) => call === 'verify R2')).toHaveLength(2);
  expect(all.filter((call) => call === 'verify R3')).toHaveLength(2);
  expect(all.indexOf('verify R3')).toBeGreaterThan(all.indexOf('work second'));
  // The work on the task `third` begins before R1 is verified. The work on the task `second` begins only
  // after R1 is verified, and is never repeated.
  expect(all.indexOf('work third')).toBeLessThan(all.indexOf('verify R1'));
  expect(all.filter((call) => call === 'work second')).toHaveLength(1);
  expect(
    held.view.joint.map(({ workstream, verdict, alone, round }) =>
      [workstream, verdict, alone === true ? 'alone' : 'whole', round].join(' '),
    ),
  ).toEqual([
    'records fail alone 1',
    'records pass alone 2',
    'records pass whole 2',
    // The two workstreams are verified concurrently, in either order.
    ...[expect.stringMatching(/^(page|other) pass whole 2$/)],
    ...[expect.stringMatching(/^(page|other) pass whole 2$/)],
  ]);
  const [, second] = held.view.tasks.find(({ task }) => task.id === 'first')?.attempts ?? [];
  // The second attempt at the task `first` starts from the joined commit that was verified.
  expect(second?.started.base).toBe(held.view.joint[0]?.commit);
  const page = held.view.tasks.find(({ task }) => task.id === 'second');
  expect(page?.attempts[0]?.started.base).toBe(second?.commits.at(-1)?.commit);
  expect(held.view.requirements.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'R1 met',
    'R2 met',
    'R3 met',
  ]);
});

it('a workstream is verified again after a later workstream has changed a file of the first', async () => {
  const second = { ...SECOND, files: [notePathOf('second'), notePathOf('first')] };
  const plan = makeNotesPlan('T4-T5', [FIRST, second], {
    workstreams: [makeWorkstream('records', FIRST), makeWorkstream('page', second, ['records'])],
  });
  const held = await new TeamRunner(makeNotesRepository()).begin({
    config: V4,
    script: makeSoundScript(plan, [FIRST, second], {
      work: (asked) =>
        getItem(asked) === 'first'
          ? makeWriter({ [notePathOf('first')]: noteTextOf('first') })(asked)
          : makeWriter({
              [notePathOf('first')]: `${noteTextOf('first')}And its page.\n`,
              [notePathOf('second')]: noteTextOf('second'),
            })(asked),
      verify: passAll,
    }),
  });
  expect(held.ending).toEqual({ status: 'done' });
  expect(readCalls(held).filter((call) => call === 'verify R1')).toHaveLength(4);
});

it('a fault in a workstream’s design causes a new plan before dependent work begins', async () => {
  const held = await new TeamRunner(makeNotesRepository()).begin({
    config: V4,
    script: makeScript({}, 'design'),
  });
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.view.planned.map(({ by }) => by)).toEqual(['t1', 'critique', 'replan']);
  const all = readCalls(held);
  expect(all.indexOf('work second')).toBeGreaterThan(all.lastIndexOf('work first'));
  expect(all.filter((call) => call === 'work third')).toHaveLength(1);
});

it('a run that is stopped again and again after a few calls is completed and repeats no answered call', async () => {
  const whole = await new TeamRunner(makeNotesRepository()).begin({
    config: V4,
    script: makeScript(),
  });
  const runner = new TeamRunner(makeNotesRepository());
  const script = makeScript();
  const makeStoppingModels = () =>
    makeScriptedModels(script, (number) => {
      if (number < 4) return undefined;
      runner.stop();
      return makeStopped('half of it');
    });
  let held = await runner.begin({ config: V4, models: makeStoppingModels() });
  const asked = [...held.models.requests.slice(0, -1)];
  for (let time = 0; held.ending.status === 'stopped' && time < 30; time += 1) {
    held = await runner.resume(held.run, { models: makeStoppingModels() });
    asked.push(...held.models.requests);
  }
  expect(held.ending).toEqual({ status: 'done' });
  const calls = held.facts.flatMap((fact) => (fact.type === 'call.completed' ? [fact.step] : []));
  expect(new Set(calls).size).toBe(calls.length);
  expect(held.view.joint.map(({ verdict }) => verdict)).toEqual(
    whole.view.joint.map(({ verdict }) => verdict),
  );
  expect(held.view.requirements.every(({ state }) => state === 'met')).toBe(true);
});

it('findStreamsToWaitFor returns the workstreams that a task waits for, without those that wait for each other', () => {
  const makeTask = (id: string, workstream: string, ...after: string[]) =>
    makeValidTask(id, { workstream, depends_on: after });
  const gates = findStreamsToWaitFor(
    [
      ...[makeTask('a1', 'a'), makeTask('a2', 'a')],
      ...[makeTask('b1', 'b', 'a1'), makeTask('b2', 'b')],
      makeTask('c1', 'c', 'b1'),
    ],
    [{ before: 'b2', after: 'd1', file: 'x' }],
  );
  expect(Object.fromEntries(gates)).toEqual({
    a1: [],
    a2: [],
    b1: ['a'],
    b2: [],
    c1: ['a', 'b'],
  });
  // The workstreams a and b build on each other. If a task of one waited until the other is verified, neither
  // workstream could ever finish, so no task waits.
  const circle = findStreamsToWaitFor(
    [makeTask('a1', 'a'), makeTask('b1', 'b', 'a1'), makeTask('a2', 'a', 'b1')],
    [],
  );
  expect([...circle.values()].flat()).toEqual([]);
  // The workstreams a, b and c build on one another in a circle. If their tasks waited until the others are
  // verified, none could ever finish, so no task waits.
  const far = findStreamsToWaitFor(
    [
      makeTask('a1', 'a'),
      makeTask('b1', 'b', 'a1'),
      makeTask('b2', 'b'),
      makeTask('c1', 'c', 'b2'),
      makeTask('a2', 'a', 'c1'),
    ],
    [],
  );
  expect([...far.values()].flat()).toEqual([]);
});
