/** Tests how a plan looks in the console: every tab, what Enter opens, and what its keys say. */
import { type TestContext, test } from 'vitest';
import { planOf } from '../../src/protocols/plan/fold.ts';
import { KEYS, type OpenedConsole, openRunConsole } from '../console/terminal.ts';
import { type FakePlan, makePlanRun, numberFacts, STAGES } from './facts.ts';

const SIZES = [
  [80, 24],
  [120, 40],
  [200, 50],
] as const;

const PLANNED = planOf(numberFacts(STAGES.gate));

type Context = Pick<TestContext, 'expect' | 'onTestFinished'>;

function openConsole(
  { onTestFinished }: Context,
  run: FakePlan,
  columns = 120,
  rows = 40,
): OpenedConsole {
  const console = openRunConsole(run, { columns, rows });
  onTestFinished(async () => {
    console.console.close();
    await console.console.closed;
  });
  return console;
}

async function expectScreen(
  { expect }: Context,
  { screen }: OpenedConsole,
  name: string,
): Promise<void> {
  await screen.settled();
  for (const line of screen.lines) expect(line.length).toBeLessThanOrEqual(screen.columns);
  await expect(`${screen.text}\n`).toMatchFileSnapshot(`screens/${name}.txt`);
}

for (const [columns, rows] of SIZES)
  test.concurrent(`the tabs of a plan look as recorded at ${columns}x${rows}`, async (context) => {
    const console = openConsole(context, makePlanRun('done'), columns, rows);
    const size = `${columns}x${rows}`;
    await expectScreen(context, console, `done-${size}`);
    await console.press('2');
    await expectScreen(context, console, `gate-${size}`);
    await console.press(KEYS.enter);
    await expectScreen(context, console, `gate-opened-${size}`);
    await console.press('3');
    await expectScreen(context, console, `conflicts-${size}`);
    await console.press('j', KEYS.enter);
    await expectScreen(context, console, `conflict-opened-${size}`);
    await console.press('4');
    await expectScreen(context, console, `context-${size}`);
    await console.press('j', 'j', 'j', KEYS.enter);
    await expectScreen(context, console, `question-opened-${size}`);
    await console.press('5');
    await expectScreen(context, console, `documents-${size}`);
  });

test.concurrent('the status line says in words what the run is doing', async (context) => {
  const { expect } = context;
  const run = makePlanRun('found');
  const console = openConsole(context, run);
  const readStatus = async (): Promise<string> => {
    await console.screen.settled();
    return console.screen.lines.at(-2) ?? '';
  };
  const engine = run.begin('round-2/engine', 'engine', 'plan/answer');
  run.begin('round-2/interface', 'interface', 'plan/answer');
  expect(await readStatus()).toContain('Round 2: 2 specialists answer 3 open questions.');
  run.stream(
    'round-2/engine',
    'engine',
    engine,
    '{"answers":[{"conflict":"Q-1","says":"accepts","accepts":["engine-3"],"why":"Seconds lose',
  );
  await console.screen.settled();
  expect(console.screen.text).toContain('- Q-1 accepts engine-3: Seconds lose');
  expect(console.screen.text).not.toContain('"conflict"');
});

test.concurrent('two researcher columns each show their whole question on a screen 80 characters wide', async (context) => {
  const { expect } = context;
  const run = makePlanRun('gate');
  const console = openConsole(context, run, 80, 24);
  const asked = PLANNED.lookedUp.slice(0, 2);
  for (const { id } of asked) run.begin(`research/${id}`, 'researcher', 'plan/research');
  await console.screen.settled();
  const { lines } = console.screen;
  const gap = lines.findIndex((line) => line.includes('━')) + 1;
  const middle = Math.floor(80 / asked.length);
  asked.forEach(({ question }, at) => {
    const column = lines
      .slice(gap)
      .map((line) => line.slice(at * middle, (at + 1) * middle).trim())
      .join(' ');
    expect(column).toContain(`Researcher: ${question}`);
  });
});

test.concurrent('the screen says why another search for conflicts is made', async (context) => {
  const { expect } = context;
  const run = makePlanRun('gate');
  run.record(...STAGES.found.slice(STAGES.gate.length, -1));
  const console = openConsole(context, run);
  run.begin('round-1/examine-2', 'chair', 'plan/conflicts');
  await console.screen.settled();
  expect(console.screen.lines.at(-2)).toContain(
    'Round 1: looking for conflicts again, as claude-sonnet-5-5 missed the control.',
  );
  await console.press('3');
  expect(console.screen.text).toContain('claude-sonnet-5-5 missed the control.');
  expect(console.screen.text).toContain('So this round counts as unexamined.');
});

for (const [columns, rows] of SIZES)
  test.concurrent(`the question to the person is shown with what it depends on, at ${columns}x${rows}`, async (context) => {
    const console = openConsole(context, makePlanRun('asked'), columns, rows);
    await expectScreen(context, console, `asked-${columns}x${rows}`);
  });

test.concurrent('after a key for a function that plans lack, the screen explains why nothing happens', async (context) => {
  const { expect } = context;
  const console = openConsole(context, makePlanRun('done'));
  for (const [key, words] of [
    ['r', 'A plan has one synthesis; to write it with another model, fork the run.'],
    ['a', 'Follow-up questions work on board runs only.'],
    ['v', 'A plan has no vote; the Conflicts tab shows who accepts what.'],
  ] as const) {
    await console.press(key);
    expect(console.screen.text).toContain(words);
  }
  await console.press('2');
  // Nothing in the list of this tab can be folded, so the footer does not offer folding.
  expect(console.screen.lines.at(-1)).not.toContain('fold');
});

test.concurrent('an empty tab says that there is nothing to show yet', async (context) => {
  const { expect } = context;
  const console = openConsole(context, makePlanRun('started'));
  for (const [key, words] of [
    ['2', 'No specialist has been shown anything yet.'],
    ['3', 'No search for conflicts yet.'],
    ['4', 'No specialist has been called in yet.'],
    ['5', 'No specialist has said anything yet.'],
  ] as const) {
    await console.press(key);
    expect(console.screen.text).toContain(words);
  }
});
