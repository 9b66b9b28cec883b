/**
 * Tests verifiers' locked tests: a red one stays until it is green, or until both verifiers say that it
 * tests something else. Runs share what comes before the work.
 */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { runUntilCall } from './begun.ts';
import {
  CHECK,
  DONE_REPORT,
  isFirstTurn,
  makeCorrection,
  makeOneTaskPlan,
  makePassedVerdict,
  makeToolCalls,
  makeWordsRepository,
  makeWriter,
  type Script,
  TELL_SOURCE,
  TELL_TEST,
  type TeamRunResult,
} from './harness.ts';

const V3 = { version: 3 } as const;
const HEAD = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";
const makeTest = (name: string, number: number, word: string): string =>
  `${HEAD}import { tell } from '../src/tell.js';\n\ntest('${name}', () => assert.equal(tell(${number}), '${word}'));\n`;

/** Returns a verdict that says yes with a valid quotation, whatever the work is. */
function makeVerdict(more: object = {}): object {
  const place = { path: 'src/tell.js', quote: 'export function tell(number)', why: 'it is told' };
  return makePassedVerdict({
    drops: [],
    items: [{ requirement: 'R1', met: 'yes', ...place }],
    ...more,
  });
}

const BLIND = 'test/r1-two.test.js';
const PLAN = makeOneTaskPlan({
  requirements: [{ id: 'R1', text: 'tell(number) says 0, 1, 2 and 3 in words.', proof: 'test' }],
});
/** Work that does not handle 3. */
const NAIVE = { 'src/tell.js': TELL_SOURCE, 'test/tell.test.js': TELL_TEST };
const WHOLE = TELL_SOURCE.replace("'two']", "'two', 'three']");
const blind = makeWriter(
  { [BLIND]: makeTest('tells two', 2, 'two') },
  { tests: [{ requirement: 'R1', path: BLIND, shows: 'it tells two' }], untestable: [] },
);
const PROBE = {
  requirement: 'R1',
  path: 'test/three.test.js',
  shows: '3 is “three”',
  text: makeTest('tells three', 3, 'three'),
};
/** A plan whose check skips the test files that a file of the work names. */
const SKIPPING = makeOneTaskPlan({
  ...PLAN,
  workstreams: PLAN.workstreams.map((workstream) => ({
    ...workstream,
    task: workstream.task && { ...workstream.task, files: [...workstream.task.files, 'skip.txt'] },
  })),
  checks: [
    {
      ...CHECK,
      argv: [
        'sh',
        '-c',
        `"${process.execPath}" --test --test-isolation=none $(ls test/*.js | grep -v -f skip.txt)`,
      ],
    },
  ],
});
const planning: Script = { plan: () => PLAN, critique: () => ({ found: [], plan: PLAN }) };
const atWork = runUntilCall(
  'work',
  { script: { ...planning, tests: blind }, config: V3 },
  makeWordsRepository,
);

const atWorkByVersion8 = runUntilCall(
  'work',
  { script: { ...planning, tests: blind }, config: { version: 8 } },
  makeWordsRepository,
);

/** Answers each seat's calls in turn; the last answer repeats. */
function inTurn(...given: readonly ((asked: ModelRequest) => object | undefined)[]) {
  const at = new Map<string, number>();
  return (asked: ModelRequest) => {
    const { id } = asked.seat;
    if (isFirstTurn(asked)) at.set(id, (at.get(id) ?? -1) + 1);
    return given[Math.min(at.get(id) ?? 0, given.length - 1)]?.(asked);
  };
}

/** Answers differently for the first verifier; the second one passes the work. */
function bySeat(first: object | undefined, second: object = makeVerdict()) {
  return ({ seat }: ModelRequest) => (seat.id === 't5-1' ? first : second);
}

async function goOn(
  script: Script,
  answers: Readonly<Record<string, string>> = {},
  begin = atWork,
): Promise<TeamRunResult> {
  const runner = await begin();
  return runner.resume(runner.run, { script, answer: runner.makeAnswerer(answers) });
}

const QUOTE = 'tell(number) says 0, 1, 2 and 3';

function textIn(held: TeamRunResult, name: string, at = -1): string {
  return JSON.stringify(
    held.models.requests.filter((request) => request.task === `team/${name}`).at(at)?.messages,
  );
}

function probeIn({ view }: TeamRunResult) {
  return view.verdicts.find(({ seat }) => seat === 't5-1')?.probe;
}

describe('a verifier’s test that fails on the work', () => {
  it('keeps its requirement unmet until the work passes it', async () => {
    const held = await goOn({
      // In the task’s first attempt, the seat writes a program that fails the verifier’s test. In the second
      // attempt, code sends back a mere comment, and the seat then repairs the program.
      work: inTurn(
        makeWriter(NAIVE),
        makeWriter({ 'src/tell.js': `// Says it.\n${TELL_SOURCE}` }),
        makeWriter({ 'src/tell.js': WHOLE }),
      ),
      verify: inTurn(bySeat(makeVerdict({ probe: PROBE })), () => makeVerdict()),
      'look-again': () => makeVerdict(),
    });
    expect(held.ending).toEqual({ status: 'done' });
    expect(held.view.joint.map(({ verdict }) => verdict)).toEqual(['fail', 'pass']);
    expect(held.view.joint[0]?.requirements).toMatchObject([{ id: 'R1', state: 'unmet' }]);
    const [, second] = held.view.tasks[0]?.attempts ?? [];
    expect(second?.judged.map(({ green }) => green)).toEqual([false, true]);
    expect(second?.judged[0]?.why.join()).toContain('tells three');
    expect(held.view.locked).toMatchObject([
      { path: PROBE.path, requirement: 'R1', by: 't5-1', state: 'red' },
    ]);
    const result = held.view.joins.at(-1)?.commit ?? '';
    const last = held.view.checks.findLast(({ on, kind }) => on === result && kind === 'joined');
    expect(last?.counts).toMatchObject({ passed: 4, failed: 0 });
    expect(held.view.requirements[0]?.evidence.at(-1)).toContain(
      `${PROBE.path}, of t5-1: red on what was joined in round 1, green now`,
    );
  });

  it('stays locked after a new plan, and runs on the commits of that plan', async () => {
    const place = { path: 'src/tell.js', quote: 'export function tell(number)' };
    const defects = [{ task: 'tell', ...place, why: 'it was designed without 3' }];
    const held = await goOn({
      critique: () => ({ found: [], plan: PLAN }),
      work: inTurn(
        makeWriter(NAIVE),
        makeWriter({ 'src/tell.js': `// Says it.\n${TELL_SOURCE}` }),
        makeWriter({ 'src/tell.js': WHOLE }),
      ),
      verify: inTurn(
        bySeat(makeVerdict({ probe: PROBE, verdict: 'fail', cause: 'design', defects })),
        () => makeVerdict(),
      ),
      'look-again': () => makeVerdict(),
    });
    expect(held.ending).toEqual({ status: 'done' });
    expect(held.view.planned.at(-1)?.by).toBe('replan');
    expect(held.view.locked).toMatchObject([{ path: PROBE.path, state: 'red' }]);
    const [, second] = held.view.tasks[0]?.attempts ?? [];
    expect(second?.judged.map(({ green }) => green)).toEqual([false, true]);
    expect(second?.judged[0]?.why.join()).toContain('tells three');
  });

  it('is shown with its output to both verifiers and to the working seat', async () => {
    const held = await goOn({
      work: inTurn(makeWriter(NAIVE), makeWriter({ 'src/tell.js': WHOLE })),
      verify: inTurn(bySeat(makeVerdict({ probe: PROBE })), () => makeVerdict()),
      'look-again': () => makeVerdict(),
    });
    const again = held.models.requests.filter((request) => request.task === 'team/look-again');
    expect(again.slice(0, 2).map(({ seat }) => seat.id)).toEqual(['t5-1', 't5-2']);
    for (const request of again.slice(0, 2)) {
      expect(JSON.stringify(request.messages)).toContain('test/three.test.js, which is red');
      expect(JSON.stringify(request.messages)).toContain('tells three');
    }
    expect(textIn(held, 'verify')).toContain('green now: 3 is “three”');
    expect(textIn(held, 'accept')).toContain(`${PROBE.path}, of t5-1`);
    const work = held.models.requests.filter((request) => request.task === 'team/work');
    expect(JSON.stringify(work.at(-1)?.messages)).toContain('locked and in the tree from now on');
    expect(held.askedTasks.filter((name) => name === 'look-again')).toHaveLength(4);
  });

  it('is shown to the tier that corrects the brief as red when it was locked, not as red now', async () => {
    const path = 'test/four.test.js';
    const four = { ...PROBE, path, text: makeTest('tells four', 4, 'four'), shows: '4 is “four”' };
    const script: Script = {
      work: inTurn(makeWriter(NAIVE), makeWriter({ 'src/tell.js': WHOLE })),
      verify: inTurn(
        bySeat(makeVerdict({ probe: PROBE })),
        bySeat(makeVerdict({ probe: four })),
        () => makeVerdict(),
      ),
      'look-again': () => makeVerdict(),
      correct: makeCorrection,
    };
    const held = await goOn(script, {}, atWorkByVersion8);
    const corrected = textIn(held, 'correct');
    for (const test of [PROBE.path, path]) {
      expect(corrected).toContain(`${test} (R1, of t5-1), RED when it was locked`);
      expect(corrected).toContain(`${test}, which was red when it was locked`);
      expect(corrected).toContain(`What ${test} printed then`);
    }
    // The prompt says how each test was when it was locked, and not how it is now.
    expect(corrected).not.toContain('which is red');
  });

  it('is dropped only if both verifiers want that and quote the requirement', async () => {
    const four = { ...PROBE, text: makeTest('tells four', 4, 'four'), shows: '4 is “four”' };
    const makeDrop = (quote: string) => ({ path: PROBE.path, quote, why: '4 is not asked for' });
    const makeScript = (second: object): Script => ({
      work: inTurn(makeWriter({ ...NAIVE, 'src/tell.js': WHOLE })),
      verify: bySeat(makeVerdict({ probe: four })),
      'look-again': ({ seat }) =>
        seat.id === 't5-1' ? makeVerdict({ drops: [makeDrop(QUOTE)] }) : second,
    });
    const both = await goOn(
      makeScript(makeVerdict({ drops: [makeDrop('0, 1, 2 and 3 in words')] })),
    );
    expect(both.ending).toEqual({ status: 'done' });
    expect(both.view.locked[0]?.dropped?.map(({ seat }) => seat)).toEqual(['t5-1', 't5-2']);
    expect(both.gates.at(-1)).toContain(`Dropped by both verifiers: ${PROBE.path}`);
    for (const alone of [
      makeVerdict(),
      makeVerdict({ drops: [makeDrop('what nobody asked for')] }),
    ]) {
      const held = await goOn({ ...makeScript(alone), correct: makeCorrection });
      expect(held.view.locked[0]?.dropped).toBeUndefined();
      expect(held.view.joint[0]).toMatchObject({ verdict: 'fail' });
    }
  });

  it('must be passed after all if verifiers drop it and the person restores it at the delivery', async () => {
    const drop = { path: PROBE.path, quote: QUOTE, why: 'three is no word here' };
    const held = await goOn(
      {
        work: inTurn(makeWriter(NAIVE), makeWriter({ 'src/tell.js': WHOLE })),
        verify: inTurn(bySeat(makeVerdict({ probe: PROBE })), () => makeVerdict()),
        'look-again': ({ messages }) =>
          makeVerdict({ drops: JSON.stringify(messages).includes('which is red') ? [drop] : [] }),
      },
      { 'deliver/': 'restore' },
    );
    expect(held.ending).toEqual({ status: 'done' });
    expect(held.view.locked).toMatchObject([{ path: PROBE.path, by: 'person' }]);
    expect(held.view.joint.map(({ verdict }) => verdict)).toEqual(['pass', 'fail', 'pass']);
    expect(held.view.joint[1]?.requirements).toMatchObject([{ id: 'R1', state: 'unmet' }]);
    expect(held.view.tasks[0]?.attempts).toHaveLength(2);
    expect(held.view.tasks[0]?.retried[0]?.why).toContain('put back');
  });

  it('does not count as passed if the work keeps it from being run', async () => {
    const skipping = runUntilCall(
      'work',
      {
        script: {
          plan: () => SKIPPING,
          critique: () => ({ found: [], plan: SKIPPING }),
          tests: blind,
        },
        config: V3,
      },
      (root) => {
        const person = makeWordsRepository(root);
        person.write('skip.txt', 'no such test\n');
        person.git('add', '.');
        person.git('commit', '--quiet', '-m', 'Skip nothing');
        return person;
      },
    );
    const runner = await skipping();
    const held = await runner.resume(runner.run, {
      script: {
        work: inTurn(
          makeWriter(NAIVE),
          makeWriter({ 'skip.txt': 'three\n' }),
          makeWriter({ 'src/tell.js': WHOLE, 'skip.txt': 'nothing at all\n' }),
        ),
        verify: inTurn(bySeat(makeVerdict({ probe: PROBE })), () => makeVerdict()),
        'look-again': () => makeVerdict(),
      },
    });
    expect(held.view.tasks[0]?.retried[1]?.why).toContain('are locked and do not all run');
    expect(held.view.joint.map(({ verdict }) => verdict)).toEqual(['fail', 'pass']);
    expect(held.ending).toEqual({ status: 'done' });
  });

  it('is no evidence if it cannot be loaded', async () => {
    const broken = { ...PROBE, text: `${PROBE.text}}` };
    const other = { ...PROBE, text: PROBE.text.replace('../src/tell.js', '../src/none.js') };
    const mended = await goOn({
      work: inTurn(makeWriter(NAIVE), makeWriter({ 'src/tell.js': WHOLE })),
      verify: inTurn(bySeat(makeVerdict({ probe: broken })), () => makeVerdict()),
      'mend-probe': () => ({ probe: PROBE }),
      'look-again': () => makeVerdict(),
    });
    expect(probeIn(mended)).toMatchObject({ state: 'failed' });
    expect(textIn(mended, 'mend-probe')).toContain('could not be loaded');
    const left = await goOn({
      work: makeWriter(NAIVE),
      verify: bySeat(makeVerdict({ probe: broken })),
      'mend-probe': () => ({ probe: other }),
      'look-again': () => makeVerdict(),
    });
    expect(left.askedTasks.filter((name) => name === 'mend-probe')).toHaveLength(1);
    expect(probeIn(left)).toMatchObject({ state: 'not-run' });
    expect([left.view.locked, left.view.joint[0]?.verdict]).toEqual([[], 'pass']);
  });
});

describe('tests by the seat that does the work', () => {
  it('may be corrected by a later attempt of the same seat', async () => {
    const wrong = TELL_TEST.replace('tell(2)', 'tell(1 + 1)');
    const held = await goOn({
      work: inTurn(
        makeWriter({ ...NAIVE, 'test/tell.test.js': wrong }),
        makeWriter({ 'src/tell.js': WHOLE, 'test/tell.test.js': TELL_TEST }),
      ),
      verify: inTurn(bySeat(makeVerdict({ probe: PROBE })), () => makeVerdict()),
      'look-again': () => makeVerdict(),
    });
    expect(held.ending).toEqual({ status: 'done' });
    const [, second] = held.view.tasks[0]?.attempts ?? [];
    expect(second?.judged.map(({ green }) => green)).toEqual([true]);
    expect(second?.commits.at(-1)?.files).toEqual(['src/tell.js', 'test/tell.test.js']);
  });

  it('prove nothing by themselves', async () => {
    const runner = await begunWithout();
    const held = await runner.resume(runner.run, {
      script: {
        ...planning,
        work: makeWriter(NAIVE),
        verify: () => makeVerdict(),
        'look-again': () => makeVerdict(),
      },
    });
    expect(held.ending).toMatchObject({
      status: 'failed',
      reason: 'no test but the work’s own shows R1',
    });
    expect(held.view.requirements).toMatchObject([{ state: 'unproved' }]);
    expect(held.view.delivered).toBeUndefined();
    const again = await begunWithout();
    const taken = await again.resume(again.run, {
      script: {
        ...planning,
        work: makeWriter(NAIVE),
        verify: () => makeVerdict(),
        'look-again': () => makeVerdict(),
      },
      answer: again.makeAnswerer({ 'verify/round-1/words/untested': 'take' }),
    });
    expect(taken.ending).toEqual({ status: 'done' });
    expect(taken.view.requirements[0]?.evidence.at(-1)).toBe('a person takes it as met');
  });

  it('are not needed if a verifier has a test that fails without the work', async () => {
    const runner = await begunWithout();
    const two = {
      ...PROBE,
      path: 'test/two.test.js',
      text: makeTest('two', 2, 'two'),
      shows: 'two',
    };
    const held = await runner.resume(runner.run, {
      script: {
        ...planning,
        work: makeWriter(NAIVE),
        verify: bySeat(makeVerdict({ probe: two })),
        'look-again': () => makeVerdict(),
      },
    });
    expect(held.ending).toEqual({ status: 'done' });
    expect(held.view.locked).toMatchObject([{ path: 'test/two.test.js', state: 'green' }]);
    expect(held.view.requirements[0]?.evidence.join()).toContain('red on the base, green now');
  });
});

/** A run like `atWork`, in which the author of acceptance tests names a file twice and never writes it. */
const begunWithout = runUntilCall(
  'work',
  {
    script: {
      ...planning,
      tests: () => ({
        tests: [{ requirement: 'R1', path: BLIND, shows: 'it tells two' }],
        untestable: [],
      }),
    },
    config: V3,
  },
  makeWordsRepository,
);

it('acceptance tests are recorded as not written if their author names a file and never writes it', async () => {
  const runner = await begunWithout();
  const store = runner.openStoreForTest();
  const types = store.facts(runner.run).filter(({ type }) => type === 'tests.written');
  expect(types).toMatchObject([{ files: [], why: 'no file was written' }]);
});

/** A run like `atWork`, in which an acceptance test gets a name that the runner finds only the second time. */
const begunUnfound = runUntilCall(
  'work',
  {
    script: {
      ...planning,
      tests: inTurn(
        makeWriter(
          { 'test/r1-two': makeTest('tells two', 2, 'two') },
          { tests: [{ requirement: 'R1', path: 'test/r1-two', shows: 'two' }], untestable: [] },
        ),
        (asked) =>
          isFirstTurn(asked)
            ? makeToolCalls(
                ['remove', { path: 'test/r1-two' }],
                ['write', { path: BLIND, text: makeTest('tells two', 2, 'two') }],
              )
            : { tests: [{ requirement: 'R1', path: BLIND, shows: 'two' }], untestable: [] },
      ),
    },
    config: V3,
  },
  makeWordsRepository,
);

it('the author of acceptance tests is asked once more if no check runs a test of the file', async () => {
  const runner = await begunUnfound();
  const facts = runner.openStoreForTest().facts(runner.run);
  const written = facts.filter(({ type }) => type === 'tests.written');
  expect(written).toMatchObject([{ files: [BLIND], tests: [{ path: BLIND, state: 'red' }] }]);
  // With the author’s first test file, the check runs no test and passes; a passed check runs once. With the
  // second file, the check fails; a failed check runs three times to rule out chance.
  const runs = facts.filter((fact) => 'kind' in fact && fact.kind === 'red-before');
  expect(runs).toMatchObject([{ exit: 0 }, { exit: 1 }, { exit: 1 }, { exit: 1 }]);
});

it('a test that a higher tier lets a task change is still run in its old version, too', async () => {
  const old = 'test/sum.test.js';
  const tested = `${HEAD}import { sum } from '../src/sum.js';\n\ntest('adds twice', () => assert.equal(sum(2, 2), 4));\n`;
  const held = await goOn({
    work: inTurn(
      () => ({
        ...DONE_REPORT,
        status: 'blocked',
        needs: [{ kind: 'test-change', what: old, why: 'it expects a number' }],
      }),
      makeWriter({ ...NAIVE, [old]: tested }),
    ),
    correct: (asked) =>
      makeCorrection(asked, {
        brief: '',
        done_when: 'sum gives a text.',
        why: 'Sums are texts from now on.',
        test_changes: [
          { path: old, why: 'a sum is a text now' },
          { path: BLIND, why: 'it is in the way' },
        ],
      }),
    verify: () => makeVerdict(),
    'look-again': () => makeVerdict(),
  });
  expect(held.ending).toEqual({ status: 'done' });
  const amended = held.view.amendments.map(({ by, kind, files }) => [by, kind, ...files]);
  expect(amended).toContainEqual(['T1', 'test-change', old]);
  expect(held.view.refusedNeeds.map(({ what, kind }) => `${kind} ${what}`)).toEqual([
    `test-change ${BLIND}`,
  ]);
  const [task] = held.view.tasks;
  expect(task?.retried[0]).toMatchObject({ said: 'Sums are texts from now on.' });
  expect(task?.brief).toContain('Done when: sum gives a text.');
  const before = held.view.checks.filter(({ kind }) => kind === 'old-version');
  expect(before.map(({ exit }) => exit)).toEqual([0]);
  expect(held.gates.at(-1)).toContain(
    `${old} by tell, permitted by T1: a sum is a text now; as it was: green`,
  );
  expect(textIn(held, 'work')).toContain(`May change the test ${old}: a sum is a text now`);
});
