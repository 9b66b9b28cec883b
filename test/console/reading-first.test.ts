/** What is read first, and how a person comes from there to all that was said, and back. */
import { describe, type TestContext, test } from 'vitest';
import { LiveRun } from '../../src/console/model/live-run.ts';
import { readFact } from '../../src/console/run/tabs/said.ts';
import { makeAnsweredRun, makeFullBoard, mapPositions, synthesizeRun } from './fake-board.ts';
import { FakeRounds, makeThreeRounds } from './fake-rounds.ts';
import { FakeRun, makeProse, PANEL } from './fake-run.ts';
import { type ConsoleOptions, KEYS, type OpenedConsole, openRunConsole } from './terminal.ts';
import { viewOfRun } from './views.ts';

const SIZES = [
  [80, 24],
  [140, 40],
] as const;

type Context = Pick<TestContext, 'expect' | 'onTestFinished'>;

function openConsole(
  { onTestFinished }: Context,
  run: FakeRun,
  opening: ConsoleOptions = {},
): OpenedConsole {
  const opened = openRunConsole(run, opening);
  onTestFinished(async () => {
    opened.console.close();
    await opened.console.closed;
  });
  return opened;
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

const LONG = `Should we split the monolith before the next hiring round? ${'The background has many details that matter. '.repeat(45)}That is all.`;

describe.each(SIZES)('the screen of a run at %i×%i', (columns, rows) => {
  const size = `${columns}x${rows}`;

  test.concurrent('shows the synthesis first when the run has ended, and the key Tab opens the columns of seats', async (context) => {
    const { expect } = context;
    const run = makeAnsweredRun();
    const console = openConsole(context, run, { columns, rows });
    await console.screen.settled();
    // While there is no finished synthesis yet, the columns with the seats' answers are shown.
    expect(console.screen.text).toContain('Wait a quarter.');
    run.ask('synthesizer/1').send('synthesizer/1').say('synthesizer/1', '## Consensus\n\nSlow.');
    await console.screen.settled();
    expect(console.screen.text).toContain('Wait a quarter.');
    synthesizeRun(run);
    mapPositions(run).end('done');
    await expectScreen(context, console, `answer-first-${size}`);
    expect(console.screen.lines[2]).toMatch(/^ Split the checkout into a service of its own/);
    expect(console.screen.text).not.toContain('Wait a quarter.');
    await console.press(KEYS.tab);
    await expectScreen(context, console, `answer-opened-${size}`);
    expect(console.screen.text).toContain('Wait a quarter.');
    await console.press(KEYS.escape);
    expect(console.screen.lines[2]).toMatch(/^ Split the checkout into a service of its own/);
  });

  test.concurrent('shows outputs from their beginning when the run has ended, although it showed their end while they grew', async (context) => {
    const { expect } = context;
    const run = new FakeRun().open('Why?').ask('advocate').send('advocate');
    run.say('advocate', `It begins here. ${makeProse(7, 900)} Here it ends.`).wait(900);
    const console = openConsole(context, run, { columns, rows });
    await console.screen.settled();
    expect(console.screen.text).not.toContain('It begins here.');
    run.done('advocate');
    await console.screen.settled();
    expect(console.screen.text).not.toContain('It begins here.');
    run.end('done');
    await console.screen.settled();
    expect(console.screen.text).toContain('It begins here.');
  });

  test.concurrent('opens the output of a step or the content of a fact when Enter is pressed', async (context) => {
    const { expect } = context;
    const console = openConsole(context, makeFullBoard(), { columns, rows });
    await console.press('3', 'g', 'jj');
    const tree = console.screen.text;
    await console.press(KEYS.enter);
    await expectScreen(context, console, `read-step-${size}`);
    expect(console.screen.text).toContain('Wait a quarter.');
    await console.press('d', 'G');
    expect(console.screen.text).toContain('"notes": []');
    expect(console.screen.text).toContain('Raw text');
    await console.press(KEYS.escape);
    expect(console.screen.text).toBe(tree);
    // Move up to a branch of the tree. Enter on a branch opens the texts of all calls below the branch.
    await console.press('k', 'k', KEYS.enter);
    expect(console.screen.text).toContain('seat · 3 calls');
    await console.press(KEYS.escape, '4', 'g', KEYS.enter);
    expect(console.screen.text).toContain('run.started');
    await console.press('d');
    await expectScreen(context, console, `read-fact-${size}`);
  });

  test.concurrent('shows a title for a long question, and the whole question after a key press', async (context) => {
    const { expect } = context;
    const run = new FakeRun().open(LONG).ask('advocate');
    const console = openConsole(context, run, { columns, rows });
    await console.screen.settled();
    if (columns > 100) {
      expect(console.screen.lines[0]).toContain('before the next hiring round?  ');
      expect(console.screen.lines.at(-1)).toContain('Q question');
    }
    expect(console.screen.text).not.toContain('background');
    await console.press('Q');
    await expectScreen(context, console, `question-${size}`);
    await console.press('G');
    expect(console.screen.text).toContain('That is all.');
    await console.press(KEYS.escape);
    expect(console.screen.text).not.toContain('background');
  });
});

test('A fact that is opened in the tab Log is shown in words, and on request as the recorded JSON', ({
  expect,
}) => {
  for (const { facts, now } of [makeFullBoard(), makeThreeRounds().run]) {
    const runModel = new LiveRun(facts, viewOfRun(facts), now, () => undefined);
    for (const [at, line] of runModel.log.entries()) {
      const { title, markdown, raw = '' } = readFact(runModel, line);
      expect(title).toContain(facts[at]?.type);
      expect(markdown.trim()).not.toBe('');
      const [, json = ''] = /^`{3,}\n([\s\S]*)\n`{3,}$/.exec(raw) ?? [];
      expect(JSON.parse(json)).toEqual(facts[at]);
    }
  }
});

test.concurrent('The hint that more text is below names PgDn only if PgDn scrolls the text', async (context) => {
  const { expect } = context;
  const run = new FakeRun().open('Why?').ask(...PANEL.map(({ id }) => id));
  for (const { id } of PANEL) run.send(id).say(id, makeProse(3, 900)).done(id);
  const console = openConsole(context, run.end('stopped'), { columns: 120, rows: 24 });
  await console.screen.settled();
  expect(console.screen.text.match(/more below/g)).toHaveLength(3);
  expect(console.screen.text.match(/more below \(PgDn\)/g)).toHaveLength(1);
  await console.press('=');
  expect(console.screen.text.match(/more below \(PgDn\)/g)).toHaveLength(3);
});

test.concurrent('A finished run gets the mark ✓ in the title only if every seat has answered', async (context) => {
  const { expect } = context;
  const run = new FakeRun().open('Why?').ask(...PANEL.map(({ id }) => id));
  run.say('critic', 'Yes.').done('critic');
  run.fail('advocate', 'server', 'status 500').fail('analyst', 'server', 'status 500');
  const console = openConsole(context, run.end('done'));
  await console.screen.settled();
  expect(console.screen.lines[0]).toContain('◐ done, 1 of 3 seats');
  expect(console.screen.raw).not.toContain('✓ done');
  const whole = openConsole(context, synthesizeRun(makeAnsweredRun()).end('done'));
  await whole.screen.settled();
  expect(whole.screen.lines[0]).toContain('✓ done');
});

test.concurrent('The status line warns of a synthesis that would be made of only one answer', async (context) => {
  const { expect } = context;
  const run = new FakeRun().open('Why?').ask(...PANEL.map(({ id }) => id));
  const console = openConsole(context, run);
  run.fail('advocate', 'server', 'status 500');
  await console.screen.settled();
  expect(console.screen.text).not.toContain('of one answer');
  run.fail('analyst', 'server', 'status 500');
  await console.screen.settled();
  expect(console.screen.lines.at(-2)).toContain('The synthesis will use only one answer.');
});

test.concurrent('The message that a seat will be asked again disappears when the call begins', async (context) => {
  const { expect } = context;
  const run = new FakeRun().open('Why?').ask(...PANEL.map(({ id }) => id));
  run.stop('advocate');
  const console = openConsole(context, run);
  await console.press('R');
  expect(console.screen.text).toContain('Asking Advocate again.');
  run.ask('advocate');
  await console.screen.settled();
  expect(console.screen.text).not.toContain('Asking Advocate again.');
});

test.concurrent('After z (zoom), p (pause) or = (scroll together), the last row says that the same key undoes the effect', async (context) => {
  const { expect } = context;
  const run = new FakeRun().open('Why?').ask(...PANEL.map(({ id }) => id));
  const console = openConsole(context, run, { columns: 160 });
  const readFooter = (): string => console.screen.lines.at(-1) ?? '';
  await console.screen.settled();
  expect(readFooter()).toMatch(/z zoom .*p pause .*= sync/);
  await console.press('z', 'p', '=');
  expect(readFooter()).toMatch(/z unzoom .*p resume .*= unsync/);
});

test.concurrent('In rounds, the key v goes to the list of votes, or says where votes will be listed', async (context) => {
  const { expect } = context;
  const { run } = makeThreeRounds();
  const console = openConsole(context, run, { columns: 100, rows: 24 });
  await console.press('v');
  expect(console.screen.text).toContain('No vote so far. Votes are listed in the Signals tab.');
  expect(console.screen.lines[1]).toContain('[2 Rounds]');
  const voted = new FakeRounds().start('Why?').round(1, 'action');
  voted.tell('vote.counted', {
    round: 1,
    peers: false,
    by: 'wording',
    ballots: [{ seat: 'critic', option: 'wait', model: 'ollama/a' }],
  } as never);
  const other = openConsole(context, voted, { columns: 100, rows: 24 });
  await other.press('v');
  expect(other.screen.lines[1]).toContain('[4 Signals]');
  expect(other.screen.text).toContain('A plain vote');
  await other.press('v');
  expect(other.screen.lines[1]).toContain('[2 Rounds]');
});
