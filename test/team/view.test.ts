/** Tests how a team looks in the console: every tab, what Enter opens, and the plan's question. */
import { type TestContext, test } from 'vitest';
import { estimateTiers } from '../../src/protocols/team/estimate.ts';
import { planLines } from '../../src/protocols/team/plan-lines.ts';
import { KEYS, type OpenedConsole, openRunConsole } from '../console/terminal.ts';
import { CONFIG, type FakeTeam, GOAL, makeTeamRun, SEATS, STAGES } from './facts-of-a-run.ts';
import { PLAN, SURVEY } from './plan-of-a-run.ts';

const SIZES = [
  [80, 24],
  [120, 40],
  [200, 50],
] as const;
const PAGE_DOWN = '\u001b[6~';

type Context = Pick<TestContext, 'expect' | 'onTestFinished'>;

function showRun(
  { onTestFinished }: Context,
  run: FakeTeam,
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

async function matchScreen(
  { expect }: Context,
  { screen }: OpenedConsole,
  name: string,
): Promise<void> {
  await screen.settled();
  for (const line of screen.lines) expect(line.length).toBeLessThanOrEqual(screen.columns);
  await expect(`${screen.text}\n`).toMatchFileSnapshot(`screens/${name}.txt`);
}

for (const [columns, rows] of SIZES) {
  const size = `${columns}x${rows}`;

  test.concurrent(`the tabs of a team equal the stored screens of the size ${size}`, async (context) => {
    const console = showRun(context, makeTeamRun(STAGES.done), columns, rows);
    await matchScreen(context, console, `team-${size}`);
    await console.press('1');
    await matchScreen(context, console, `done-${size}`);
    await console.press('3');
    await matchScreen(context, console, `requirements-${size}`);
    await console.press(KEYS.enter);
    await matchScreen(context, console, `requirement-opened-${size}`);
    await console.press('4');
    await matchScreen(context, console, `checks-${size}`);
    await console.press('G', KEYS.enter);
    await matchScreen(context, console, `check-opened-${size}`);
  });

  test.concurrent(`the tiers and running tasks of a team equal the stored screens of the size ${size}`, async (context) => {
    const run = makeTeamRun(STAGES.working);
    run.beginCall('task/json-flag/attempt-2/turn-3', 't4', 'work');
    const console = showRun(context, run, columns, rows);
    await matchScreen(context, console, `working-${size}`);
    await console.press(KEYS.enter);
    await matchScreen(context, console, `task-opened-${size}`);
  });

  test.concurrent(`a disagreement of two verifiers equals the stored screen of the size ${size}`, async (context) => {
    const console = showRun(context, makeTeamRun(STAGES.disputed), columns, rows);
    await matchScreen(context, console, `disputed-${size}`);
    await console.press('3');
    await matchScreen(context, console, `disputed-requirements-${size}`);
  });

  test.concurrent(`the question about the plan equals the stored screen of the size ${size}`, async (context) => {
    const console = showRun(context, makeTeamRun(STAGES.asked), columns, rows);
    await matchScreen(context, console, `gate-${size}`);
    await console.press(KEYS.down, KEYS.enter, 'keep seconds');
    await matchScreen(context, console, `gate-words-${size}`);
    await console.press(KEYS.enter);
    context.expect(console.done).toEqual(['answer approve/1 amend: keep seconds']);
  });
}

test.concurrent('if code refuses T1’s acceptance of the work, the reasons are shown beside the acceptance', async (context) => {
  const { expect } = context;
  const console = showRun(context, makeTeamRun(STAGES.refused));
  await console.screen.settled();
  expect(console.screen.text).toMatch(/✗ T1 acceptance +code refuses it: R4 is unproved/);
  await console.press('3');
  // In the tab Requirements, the requirements that are not met come first.
  expect(console.screen.lines.find((row) => row.startsWith('>'))).toMatch(/· R4 +unproved/);
});

test.concurrent('the plan is not shown a second time beside a question that contains the plan', async (context) => {
  const { expect } = context;
  const gate = STAGES.asked.at(-1);
  if (gate?.type !== 'gate.opened') throw new Error('the stage ends with its gate');
  const lines = planLines(PLAN, {
    survey: SURVEY,
    prices: estimateTiers(PLAN, GOAL, SEATS, CONFIG),
  });
  const prompt = ['Go on with this plan?', ...lines].join('\n');
  const run = makeTeamRun([...STAGES.planned, { ...gate, prompt }]);
  const console = showRun(context, run, 120, 50);
  await console.screen.settled();
  const seen = [console.screen.text];
  for (let page = 0; page < 3; page += 1) {
    await console.press(PAGE_DOWN);
    seen.push(console.screen.text);
  }
  const all = seen.join('\n');
  expect(all).toMatch(
    /T2: with it \d+ calls, .* tokens where nothing goes wrong \(at most \d+ calls\); without it \d+/,
  );
  expect(all).toContain('Nobody writes the flag into the README.');
  expect(console.screen.text.match(/Requirements, and how/g)?.length ?? 0).toBeLessThan(2);
  expect(all).toContain('["npx","eslint","src"]');
});

test.concurrent('the status line says which tier works on which task', async (context) => {
  const { expect } = context;
  const run = makeTeamRun(STAGES.designed);
  const console = showRun(context, run);
  const readStatus = async (): Promise<string> => {
    await console.screen.settled();
    return console.screen.lines.at(-2) ?? '';
  };
  run.beginCall('task/row-fields/attempt-1/turn-1', 't4', 'work');
  run.beginCall('task/readme-flag/attempt-1/turn-1', 't4', 'work');
  expect(await readStatus()).toContain('T4 works on row-fields, readme-flag. 0 of 4 tasks done.');
  run.tell('run.ended', { status: 'stopped' });
  expect(await readStatus()).toContain('Stopped');
});

test.concurrent('a task about which the person is asked is marked in the display of tiers and tasks', async (context) => {
  const { expect } = context;
  const run = makeTeamRun(STAGES.working);
  run.tell('gate.opened', {
    step: 'task/json-flag/attempt-2/person',
    prompt: 'Task json-flag does not get done: it wants local time and UTC\nAttempt 1: red',
    options: [
      { value: 'stop', label: 'Stop the run here' },
      { value: 'retry', label: 'Try it again', words: 'What should be done differently?' },
    ],
    default: 'stop',
  });
  const console = showRun(context, run);
  await console.screen.settled();
  expect(console.screen.text).toContain('0 of 4 requirements met');
  await console.press(KEYS.escape);
  expect(console.screen.text).toMatch(/\? T4 json-flag +waits for you/);
});

test.concurrent('a key of a feature that teams lack shows a message about what a team has instead', async (context) => {
  const { expect } = context;
  const console = showRun(context, makeTeamRun(STAGES.done));
  for (const [key, words] of [
    ['r', 'A team writes no synthesis; the Requirements tab shows the results.'],
    ['v', 'A team has no vote; the Requirements tab has the evidence.'],
  ] as const) {
    await console.press(key);
    expect(console.screen.text).toContain(words);
  }
});

test.concurrent('at the start of a team’s run, the tabs for requirements and checks say that there are none yet', async (context) => {
  const { expect } = context;
  const console = showRun(context, makeTeamRun(STAGES.started));
  for (const [key, words] of [
    ['2', '● T1 plan'],
    ['3', 'No requirements yet.'],
    ['4', 'No checks yet.'],
  ] as const) {
    await console.press(key);
    expect(console.screen.text).toContain(words);
  }
});

test.concurrent('the question about the delivery shows the proof of each requirement once', async (context) => {
  const { expect } = context;
  const readQuestion = async (prompt: string): Promise<string> => {
    const run = makeTeamRun(STAGES.working);
    run.tell('gate.opened', {
      step: 'deliver/c0a3',
      prompt,
      default: 'branch',
      options: [{ value: 'branch', label: 'Keep it on a branch of its own' }],
    });
    const { screen } = showRun(context, run, 120, 50);
    await screen.settled();
    return screen.text;
  };
  const short = await readQuestion('0 of 4 requirements met. The work is done, as c0a3.');
  expect(short).toMatch(/R1 unproved: /);
  const long = await readQuestion(
    '0 of 4 requirements met.\n\nWhat proves each requirement\n  R1 unproved, by nothing: it lists.\n',
  );
  expect(long).not.toMatch(/R1 unproved: /);
  expect(long).toContain('R1 unproved, by nothing');
});
