/** The screens of a complete board: vote, matrix, ablation, versions side by side, further questions. */
import { describe, type TestContext, test } from 'vitest';
import {
  addAblations,
  askFollowUp,
  makeAnsweredRun,
  makeFullBoard,
  mapPositions,
  QUESTION,
  synthesizeRun,
} from './fake-board.ts';
import { EPOCH, FakeRun } from './fake-run.ts';
import { type ConsoleOptions, KEYS, type OpenedConsole, openRunConsole } from './terminal.ts';

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

describe.each(SIZES)('the board’s screens at %i×%i', (columns, rows) => {
  const size = `${columns}x${rows}`;
  const opening = { columns, rows };

  test.concurrent('show the tab Vote: the votes, who is for and against what, and syntheses that leave out a seat', async (context) => {
    const console = openConsole(context, makeFullBoard(), opening);
    await expectScreen(context, console, `board-${size}`);
    await console.press('v', 'jj', KEYS.right);
    await expectScreen(context, console, `board-vote-${size}`);
    await console.press('G');
    await expectScreen(context, console, `board-vote-end-${size}`);
    await console.press(KEYS.enter);
    await expectScreen(context, console, `board-baseline-${size}`);
  });

  test.concurrent('show two syntheses of the same answers side by side', async (context) => {
    const console = openConsole(context, makeFullBoard(), opening);
    await console.press(']', ']', '|', 'G');
    await expectScreen(context, console, `board-compare-${size}`);
  });

  test.concurrent('show how long the board will still wait for the last seat’s answer', async (context) => {
    const run = answeringLate();
    await expectScreen(context, openConsole(context, run, opening), `board-patience-${size}`);
  });

  test.concurrent('show the forms that request another synthesis, another model, a further question and an ablation', async (context) => {
    const console = openConsole(context, makeFullBoard(), { ...opening, models: listModels });
    await console.press('r', 'Shorter, please.', KEYS.tab, 'qwen', KEYS.tab, KEYS.tab, ' ');
    await expectScreen(context, console, `board-resynthesis-${size}`);
    await console.press(KEYS.escape, 'M', 'll');
    await expectScreen(context, console, `board-model-${size}`);
    await console.press(
      KEYS.escape,
      'a',
      'And who carries the pager for it, at night and at weekends, while the checkout team is on leave?',
    );
    await expectScreen(context, console, `board-ask-${size}`);
    await console.press(KEYS.escape, 'w');
    await expectScreen(context, console, `board-ablation-${size}`);
  });

  test.concurrent('show the synthesis for a second question', async (context) => {
    const console = openConsole(context, askFollowUp(makeFullBoard()), opening);
    await expectScreen(context, console, `board-question-${size}`);
  });
});

const listModels = (): Promise<{ spec: string; detail: string }[]> =>
  Promise.resolve([
    { spec: 'ollama/llama3.2:3b', detail: '131k context' },
    { spec: 'ollama/qwen3:8b', detail: '41k context' },
    { spec: 'anthropic/claude-haiku-4-5', detail: '' },
  ]);

/**
 * Returns a run in which two of three seats have answered. The third has time until the quorum's
 * patience is over.
 */
function answeringLate(): FakeRun {
  const run = makeAnsweredRun();
  run.tell('run.resumed', { request: { kind: 'convene' } });
  run.ask('analyst').send('analyst').say('analyst', 'Of 212 incidents last year').wait(1000);
  run.tell('patience.began', {
    question: 1,
    answered: ['advocate', 'critic'],
    waitingFor: ['analyst'],
    until: new Date(run.time + 60_000).toISOString(),
  });
  return run.wait(18_000);
}

test.concurrent('The result of the vote is shown only after a model has grouped options of the same meaning', async (context) => {
  const { expect } = context;
  const run = synthesizeRun(makeAnsweredRun(['critic']));
  const console = openConsole(context, run, { columns: 140 });
  await console.screen.settled();
  // The vote is not shown before options of the same meaning are grouped, since the grouping could still
  // change the result of the vote.
  expect(console.screen.text).not.toContain('vote before debate');
  mapPositions(run);
  await console.screen.settled();
  expect(console.screen.text).toContain(
    'vote before debate: 2 split the checkout · no ballot: Critic',
  );
});

test.concurrent('In the table of who is for and against what, Enter opens the seat’s answer at the quoted sentence', async (context) => {
  const { expect } = context;
  const console = openConsole(context, makeFullBoard(), { columns: 100, rows: 30 });
  await console.press('v', 'jj');
  expect(console.screen.text).toContain('Advocate, for: “the weekly deploy is the bottleneck');
  expect(console.screen.text).toContain('2 quotes were not found in the answers and are left out');
  await console.press(KEYS.right);
  expect(console.screen.text).toContain('Critic, against: “The weekly deploy is a habit');
  await console.press(KEYS.enter);
  expect(console.screen.text).toMatch(/Critic +✓ 4\.3s/);
  expect(console.screen.text).toMatch(/ >.*weekly deploy/);
  await console.press(KEYS.escape);
  expect(console.screen.text).toMatch(/Critic +✓ 4\.3s/);
  expect(console.screen.text).not.toMatch(/ >.*weekly deploy/);
});

test.concurrent('In the tab Vote, Esc leads back to the tab where the key v was pressed', async (context) => {
  const { expect } = context;
  const console = openConsole(context, makeFullBoard(), { columns: 100, rows: 30 });
  await console.press('4', 'v');
  expect(console.screen.text).toContain('[2 Vote]');
  await console.press(KEYS.escape);
  expect(console.screen.text).toContain('[4 Log]');
  // Enter on a quotation opens the quoted answer in the tab Columns. There, Esc does not lead back to Vote.
  await console.press('1', 'v', 'jj', KEYS.right, KEYS.enter, KEYS.escape);
  expect(console.screen.text).toContain('[1 Columns]');
  await console.press('v');
  expect(console.screen.text).toContain('[2 Vote]');
  await console.press(KEYS.escape);
  expect(console.screen.text).toContain('[1 Columns]');
});

test.concurrent('While the votes are shown, the screen’s last row lists the Tab key only if the cursor is in a table with columns', async (context) => {
  const { expect } = context;
  const console = openConsole(context, makeFullBoard(), { columns: 140, rows: 30 });
  const readFooter = (): string => console.screen.lines.at(-1) ?? '';
  await console.press('v');
  expect(readFooter()).toContain('v back');
  expect(readFooter()).not.toContain('Tab column');
  await console.press(KEYS.tab);
  expect(console.screen.text).toContain('Only the table of positions has columns.');
  await console.press('jj');
  expect(readFooter()).toContain('Tab column');
});

test.concurrent('While a dialog or the help is open, the status row names no keys of the tab behind the dialog or the help', async (context) => {
  const { expect } = context;
  const console = openConsole(context, makeFullBoard(), {
    columns: 100,
    rows: 30,
    models: listModels,
  });
  const readStatus = (): string => console.screen.lines.at(-2) ?? '';
  await console.press('v');
  expect(readStatus()).toContain('j k other line');
  await console.press('r');
  expect(console.screen.text).toContain('Another synthesis');
  expect(readStatus()).not.toContain('other line');
  await console.press(KEYS.escape);
  expect(readStatus()).toContain('j k other line');
  await console.press('?');
  expect(readStatus()).not.toContain('other line');
  await console.press(KEYS.escape, '1', '/', 'deploy', KEYS.enter);
  expect(readStatus()).toContain('n next');
  await console.press('D');
  expect(readStatus()).not.toContain('n next');
});

test.concurrent('The console says without which seat the recommendation changes, and whether the change may be chance', async (context) => {
  const { expect } = context;
  const console = openConsole(context, makeFullBoard(), { columns: 100, rows: 40 });
  await console.screen.settled();
  expect(console.screen.text).toContain('recommendation changes without: Critic');
  // The console shows synthesis v1, although the ablation of v1 has added four later syntheses.
  expect(console.screen.text).toContain('Synthesis v1 · 3 of 3 advisors');
  await console.press('v', 'jjjj');
  expect(console.screen.text).toMatch(/> all seats: a detail changed/);
  await console.press('jj', KEYS.enter);
  expect(console.screen.text).toContain('Synthesis v3 · without Critic · for the ablation of v1');
  const chance = addAblations(synthesizeRun(makeAnsweredRun()).end('done'), 'course');
  const byChance = openConsole(context, chance, { columns: 80, rows: 24 });
  await byChance.screen.settled();
  expect(byChance.screen.text).toContain('changes (by chance too) without: Critic');
  await byChance.press('v');
  expect(byChance.screen.text).toContain('changes here may be chance.');
});

test.concurrent('The tab Vote explains why two seats with the same model count as one vote', async (context) => {
  const { expect } = context;
  const run = new FakeRun().open(QUESTION).ask('advocate', 'analyst');
  for (const seat of ['advocate', 'analyst']) {
    run.send(seat).say(seat, 'Split it.').done(seat);
    run.tell('ballot.cast', {
      question: 1,
      seat,
      model: 'ollama/qwen3:8b',
      option: 'split it',
      confidence: 0.7,
      // The position of each ballot has 300 characters, the most that a ballot keeps.
      position: 'word '.repeat(60),
      step: `seat/${seat}`,
    });
  }
  const console = openConsole(context, run.end('done'), { columns: 80, rows: 24 });
  await console.press('v');
  expect(console.screen.text).toContain('2 split it (worth 1.0): Advocate 70 %, Analyst 70 %');
  expect(console.screen.text).toContain(
    'worth: seats on one model count as one vote, related models as partly one',
  );
  // The positions of both ballots are shown as far as there is room.
  expect(console.screen.text).toMatch(/ Advocate: word [\s\S]* word …\n Analyst: word .* …\n/);
  console.screen.resize(140, 40);
  await console.screen.settled();
  expect(console.screen.text).toMatch(/word word…\n Analyst: word [\s\S]* word …\n/);
});

test.concurrent('The tab Vote says why there is no table of who is for and against what', async (context) => {
  const { expect } = context;
  const run = synthesizeRun(makeAnsweredRun()).ask('agreement/1').send('agreement/1');
  run.fail('agreement/1', 'invalid-output', 'what it said is no table').end('done');
  const console = openConsole(context, run, { columns: 80, rows: 24 });
  await console.press('v');
  expect(console.screen.text).toMatch(/no table for v1\n +what it said is no table/);
});

test.concurrent('The form for another synthesis refuses to leave out every seat, and says that one seat has to stay', async (context) => {
  const { expect } = context;
  const console = openConsole(context, synthesizeRun(makeAnsweredRun()).end('done'), {
    columns: 80,
    rows: 24,
  });
  await console.press('r', KEYS.tab, KEYS.tab, 'x', KEYS.tab, 'x', KEYS.tab, 'x');
  expect(console.screen.text.match(/\[x\]/g)).toHaveLength(2);
  expect(console.screen.text).toContain('Keep at least one seat');
  await console.press(KEYS.tab);
  expect(console.screen.text).not.toContain('Keep at least one seat');
});

test.concurrent('A comparison of syntheses puts sections of the same name side by side and marks the words that differ', async (context) => {
  const { expect } = context;
  const run = synthesizeRun(makeAnsweredRun());
  const text = `## Consensus\n\n${'None of them. '.repeat(30)}\n\n## Recommendation\n\nSplit the checkout into a library of its own this quarter, keep one database.`;
  run.ask('synthesizer/2').send('synthesizer/2').say('synthesizer/2', text).synthesize(2, {
    note: 'Think of a library.',
  });
  const console = openConsole(context, run.end('done'), { columns: 140, rows: 50 });
  await console.press('|');
  expect(console.screen.text).toMatch(/Synthesis v1 +Synthesis v2/);
  expect(console.screen.text).toContain('your instruction: Think of a library.');
  expect(console.screen.text).toMatch(/Consensus {3,}Consensus/);
  expect(console.screen.raw).toContain('\u001b[7mlibrary\u001b[27m');
  expect(console.screen.raw).toContain('\u001b[7mservice\u001b[27m');
  expect(console.screen.raw).not.toContain('\u001b[7mcheckout\u001b[27m');
  await console.press('|');
  expect(console.screen.text).toContain('Tab reads them');
});

test.concurrent('A new request for syntheses that each leave out one seat hides the results of the last request', async (context) => {
  const { expect } = context;
  const run = addAblations(synthesizeRun(makeAnsweredRun()).end('done')).end('done');
  run.tell('run.resumed', { request: { kind: 'weigh', base: 1, first: 6 } });
  const console = openConsole(context, run);
  await console.press('2');
  expect(console.screen.text).toMatch(/0 of 4 versions compared/);
});

test.concurrent('The key w asks for a confirmation before it requests syntheses that each leave out one seat', async (context) => {
  const { expect } = context;
  const console = openConsole(context, synthesizeRun(makeAnsweredRun()).end('done'));
  await console.press('w');
  expect(console.screen.text).toContain('up to 8 calls');
  await console.press(KEYS.escape);
  expect(console.done).toEqual([]);
  await console.press('w', KEYS.enter);
  expect(console.done).toEqual(['ablate 1']);
});

test.concurrent('The key I adds what a person has learned to the run’s iteration log, for later runs', async (context) => {
  const { expect } = context;
  const console = openConsole(context, makeAnsweredRun());
  await console.press('I', 'Ask sooner.', KEYS.enter);
  expect(console.screen.text).toContain('Added to the iteration log.');
  expect(console.done).toEqual(['noteIteration Ask sooner.']);
});

test.concurrent('After a note is sent, a message says that the synthesis will see it, or the next one if a synthesis has already begun', async (context) => {
  const { expect } = context;
  const run = makeAnsweredRun();
  const console = openConsole(context, run);
  await console.press('i', 'Mind the budget.', KEYS.enter);
  expect(console.screen.text).toContain('The synthesis will see it.');
  await console.press('i', 'And the');
  // The synthesis begins before the person has sent the note, so only the next synthesis can use the note.
  run.ask('synthesizer/1').send('synthesizer/1');
  await console.press(' date.', KEYS.enter);
  expect(console.screen.text).toContain('The next synthesis will see it.');
  expect(console.done).toHaveLength(2);
});

test.concurrent('Another synthesis can be requested with another model, an instruction and fewer seats', async (context) => {
  const { expect } = context;
  const console = openConsole(context, synthesizeRun(makeAnsweredRun()).end('done'), {
    models: listModels,
  });
  await console.press('r', KEYS.enter);
  await console.press('r', 'Be brief.', KEYS.tab, 'llama', KEYS.tab, KEYS.tab, ' ', KEYS.enter);
  expect(console.done).toEqual([
    'resynthesize',
    'resynthesize {"model":"ollama/llama3.2:3b","note":"Be brief.","without":["critic"]}',
  ]);
});

test.concurrent('Forms accept a model missing from their list as provider/model, and refuse a name without a provider', async (context) => {
  const { expect } = context;
  const console = openConsole(context, synthesizeRun(makeAnsweredRun()).end('done'), {
    models: listModels,
  });
  await console.press('r', KEYS.tab, 'nonesuch', KEYS.enter);
  expect(console.done).toEqual([]);
  expect(console.screen.text).toContain('No model has that name.');
  await console.press(KEYS.escape);
  await console.press(KEYS.tab, 'M', 'other/model', KEYS.enter);
  expect(console.done).toEqual(['retrySeat advocate other/model']);
  await console.press('a', 'And then?', KEYS.enter);
  expect(console.done.at(-1)).toBe('followUp And then?');
});

test.concurrent('The screen shows the answers, syntheses and vote of the chosen question', async (context) => {
  const { expect } = context;
  const console = openConsole(context, askFollowUp(makeFullBoard()), { columns: 140 });
  await console.screen.settled();
  expect(console.screen.text).toContain('question 2 of 2 · And who carries the pager');
  expect(console.screen.text).toContain('Synthesis v6');
  await console.press(KEYS.tab);
  expect(console.screen.text).toContain('Said by critic#2.');
  await console.press('{');
  expect(console.screen.text).toContain('question 1 of 2 · Should we split');
  expect(console.screen.text).toContain('Wait a quarter.');
  expect(console.screen.text).toContain('Synthesis v1');
  await console.press('v');
  expect(console.screen.text).toContain('wait a quarter: Critic 55 %');
  await console.press('}');
  expect(console.screen.text).toContain('No ballot was cast on this question.');
});

test.concurrent('After a seat has got another model, its column names that model, and later the seconds that are left for its answer', async (context) => {
  const { expect } = context;
  const run = synthesizeRun(makeAnsweredRun()).end('done');
  const console = openConsole(context, run);
  run.tell('run.resumed', {
    request: { kind: 'retry', seats: ['critic'], model: 'ollama/phi4' },
  });
  run.tell('seat.changed', { seat: 'critic', model: 'ollama/phi4' });
  run.tell('step.started', {
    step: 'seat/critic',
    attempt: 'other',
    kind: 'call',
    seat: 'critic',
    model: 'ollama/phi4',
    deadline: new Date(run.time + 60_000).toISOString(),
  });
  await console.screen.settled();
  expect(console.screen.text).toContain('phi4');
  expect(console.screen.text).not.toContain('left ·');
  run.wait(40_000);
  // No event arrives, so only the console's own clock can redraw the seconds that are left.
  for (let tries = 0; tries < 100 && !console.screen.text.includes('20s left'); tries += 1)
    await console.screen.settled();
  expect(console.screen.text).toContain('20s left');
  expect(run.time).toBeGreaterThan(EPOCH);
});

test.concurrent('The screen names a seat that was stopped because enough others had answered', async (context) => {
  const { expect } = context;
  const run = answeringLate();
  run.stop('analyst').tell('quorum.reached', {
    question: 1,
    answered: ['advocate', 'critic'],
    stopped: ['analyst'],
    quorum: 2,
    of: 3,
  });
  run.ask('synthesizer/1').send('synthesizer/1').say('synthesizer/1', '## Consensus');
  const console = openConsole(context, run);
  await console.screen.settled();
  expect(console.screen.text).toContain('stopped by quorum: Analyst · quorum 2 of 3');
});

test.concurrent('While a single seat is asked again, the status row announces no synthesis', async (context) => {
  const { expect } = context;
  const run = new FakeRun().open(QUESTION).ask('advocate', 'critic', 'analyst');
  for (const seat of ['advocate', 'critic', 'analyst'])
    run.send(seat).say(seat, 'Yes, si').stop(seat);
  run.end('stopped');
  run.tell('run.resumed', { request: { kind: 'retry', seats: ['critic'] } });
  run.ask('critic').send('critic').say('critic', 'No.');
  const { screen } = openConsole(context, run, { columns: 140, rows: 40 });
  await screen.settled();
  expect(screen.lines.at(-2)?.trim()).toBe('0 of 3 seats have answered; 1 is being asked.');
});

test.concurrent('The status row gives an estimate of the time left once two of three seats have answered, until the run ends', async (context) => {
  const { expect } = context;
  const run = new FakeRun().open(QUESTION).ask('advocate', 'critic', 'analyst');
  const console = openConsole(context, run, { columns: 140, rows: 40 });
  const readStatus = async (): Promise<string | undefined> => {
    await console.screen.settled();
    return console.screen.lines.at(-2)?.trim();
  };
  run.send('advocate').say('advocate', 'Yes.').wait(120_000).done('advocate');
  expect(await readStatus()).toBe('1 of 3 seats have answered; 2 are being asked.');
  run.send('critic').say('critic', 'No.').wait(120_000).done('critic');
  expect(await readStatus()).toMatch(
    /^2 of 3 seats have answered; 1 is being asked\. About \d+ to \d+ min left\.$/,
  );
  run.send('analyst').say('analyst', 'Yes.').wait(120_000).done('analyst');
  run.ask('synthesizer/1').send('synthesizer/1').say('synthesizer/1', '## Consensus');
  expect(await readStatus()).toMatch(
    /^The synthesizer is writing version 1\..* About \d+ to \d+ min left\.$/,
  );
  run.synthesize(1).end('done');
  expect(await readStatus()).not.toContain('left');
});
