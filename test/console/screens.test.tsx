/**
 * Whole screens, as a terminal shows them, against committed files: read those to see the console.
 * After a change that is meant: `npx vitest run test/console -u`, and read the difference.
 */
import { describe, type TestContext, test } from 'vitest';
import { FakeRun, makeFakeSeat, makeProse, PANEL } from './fake-run.ts';
import { type ConsoleOptions, KEYS, type OpenedConsole, openRunConsole } from './terminal.ts';

const QUESTION = 'Should we split the monolith into services?';
const SIZES = [
  [80, 24],
  [120, 40],
  [200, 50],
] as const;

/** Tests run side by side: most of their time is waiting for frames. */
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

/** Returns a run that has asked three seats. */
function makeStreamingRun(): FakeRun {
  const run = new FakeRun().open(QUESTION);
  run.ask('advocate', 'critic', 'analyst').wait(1000);
  return run;
}

function streamAnswers(run: FakeRun): void {
  run.send('advocate').send('critic');
  for (let part = 0; part < 20; part += 1)
    run
      .wait(100)
      .say('advocate', part === 0 ? `## Why\n\n${makeProse(1, 12)}\n\n` : `${makeProse(part, 9)} `);
  run.think('critic', `${makeProse(4, 30)}\nWhat would the *outage* of last May`);
  run.wait(450);
}

describe.each(SIZES)('the screen of a board at %i×%i', (columns, rows) => {
  const size = `${columns}x${rows}`;

  test.concurrent('shows a seat that writes its answer, one that thinks and one that waits', async (context) => {
    const run = makeStreamingRun();
    const console = openConsole(context, run, { columns, rows });
    streamAnswers(run);
    await expectScreen(context, console, `streaming-${size}`);
  });

  test.concurrent('shows a seat that failed, a seat that was stopped and a seat whose call is sent again', async (context) => {
    const run = makeStreamingRun();
    const console = openConsole(context, run, { columns, rows });
    streamAnswers(run);
    run.stop('advocate');
    run.fail(
      'critic',
      'not-found',
      'model "claude-haiku-9" was not found by the provider',
      'Try: deliberate models',
    );
    run.send('analyst').wait(300);
    run.news('analyst', { type: 'retrying', attempt: 1, delayMs: 4000, reason: 'overloaded' });
    run.wait(500);
    await expectScreen(context, console, `failures-${size}`);
  });

  test.concurrent('shows a second synthesis that leaves out one seat', async (context) => {
    const run = makeAnsweredRun();
    const console = openConsole(context, run, { columns, rows });
    resynthesizeRun(run);
    await expectScreen(context, console, `synthesis-v2-${size}`);
  });

  test.concurrent('shows the help', async (context) => {
    const run = makeAnsweredRun();
    const console = openConsole(context, run, { columns, rows });
    await console.press('?');
    await expectScreen(context, console, `help-${size}`);
    // The help can be scrolled down to its last rows, and up again.
    await console.press('G');
    await console.screen.settled();
    context.expect(console.screen.text).toMatch(/q +Quit$/m);
    context.expect(console.screen.lines.slice(2).join('\n')).not.toMatch(/more below|…/);
    await console.press('k');
    await console.screen.settled();
    if (rows < 40) context.expect(console.screen.text).toContain('more below');
  });
});

/** Returns a run in which all three seats have answered and the first synthesis exists. */
function makeAnsweredRun(): FakeRun {
  const run = new FakeRun().open(QUESTION).ask('advocate', 'critic', 'analyst').wait(900);
  for (const [index, { id }] of PANEL.entries())
    run
      .send(id)
      .say(
        id,
        `**Position ${index + 1}.** ${makeProse(index + 1, 40)}\n\n- ${makeProse(index + 4, 12)}`,
      )
      .wait(1700)
      .done(id);
  run.ask('synthesizer/1').send('synthesizer/1').say('synthesizer/1', makeSynthesis(1)).wait(3100);
  return run.synthesize(1, { labels: { A: 'critic', B: 'analyst', C: 'advocate' } }).end('done');
}

function resynthesizeRun(run: FakeRun): void {
  run.wait(5000).tell('run.resumed', { request: { kind: 'resynthesize', version: 2 } });
  run.ask('synthesizer/2').send('synthesizer/2').say('synthesizer/2', makeSynthesis(2)).wait(2800);
  run
    .synthesize(2, {
      included: ['advocate', 'analyst'],
      excluded: [{ seat: 'critic', reason: 'timed out' }],
      labels: { A: 'analyst', B: 'advocate' },
      note: 'Weigh the cost of on-call more.',
      missing: ['Points of Divergence'],
    })
    .end('done');
}

function makeSynthesis(seed: number): string {
  return [
    `## Consensus\n\n${makeProse(seed, 30)}`,
    `## Points of Agreement\n\n- ${makeProse(seed + 1, 14)}\n- ${makeProse(seed + 2, 11)}`,
    `## Recommendation\n\n${makeProse(seed + 3, 26)}`,
  ].join('\n\n');
}

test.concurrent('The first synthesis can be shown again after the second', async (context) => {
  const { expect } = context;
  const run = makeAnsweredRun();
  const console = openConsole(context, run);
  resynthesizeRun(run);
  await console.press('[');
  expect(console.screen.text).toContain('Synthesis v1 · 3 of 3 advisors');
  await expectScreen(context, console, 'synthesis-v1-120x40');
});

test.concurrent('A synthesis is shown while it is written', async (context) => {
  const run = makeAnsweredRun();
  const console = openConsole(context, run);
  run.tell('run.resumed', { request: { kind: 'resynthesize', version: 2 } });
  run.ask('synthesizer/2').send('synthesizer/2');
  for (let part = 0; part < 8; part += 1)
    run.wait(200).say('synthesizer/2', `${makeProse(part, 8)} `);
  run.wait(400);
  await expectScreen(context, console, 'synthesis-writing-120x40');
});

test.concurrent('A column or the synthesis can fill the whole screen', async (context) => {
  const { expect } = context;
  const run = makeAnsweredRun();
  const console = openConsole(context, run);
  await console.press(KEYS.tab, 'z');
  await expectScreen(context, console, 'zoom-column-120x40');
  await console.press(KEYS.tab, KEYS.tab);
  await expectScreen(context, console, 'zoom-synthesis-120x40');
  await console.press(KEYS.escape);
  expect(console.screen.text).toContain('Advocate  qwen3:8b');
});

const SIX = [
  ...PANEL,
  makeFakeSeat('guardian', 'Guardian', 'ollama/qwen3:8b'),
  makeFakeSeat('observer', 'Observer', 'ollama/qwen3:8b'),
  makeFakeSeat('critic-2', 'Critic 2', 'ollama/llama3.2:3b'),
];

test.concurrent('On a narrow terminal, three of six columns are visible, and Tab leads to the others', async (context) => {
  const run = new FakeRun().open(QUESTION, SIX).ask(...SIX.map(({ id }) => id));
  const console = openConsole(context, run, { columns: 90, rows: 24 });
  for (const [index, { id }] of SIX.entries()) run.send(id).say(id, makeProse(index, 30));
  run.done('observer').wait(600);
  await expectScreen(context, console, 'six-seats-90x24');
  await console.press(KEYS.tab, KEYS.tab, KEYS.tab);
  await expectScreen(context, console, 'six-seats-moved-90x24');
});

test.concurrent('A search finds words in all texts and marks the match', async (context) => {
  const { expect } = context;
  const run = makeAnsweredRun();
  const console = openConsole(context, run);
  await console.press(KEYS.tab, '/', 'OWNERSHIP', KEYS.enter);
  await expectScreen(context, console, 'search-120x40');
  expect(console.screen.raw).toContain('\u001b[7mownership\u001b[27m');
  const first = console.screen.text;
  await console.press('n');
  expect(console.screen.text).not.toBe(first);
  await console.press('N');
  expect(console.screen.text).toBe(first);
  await console.press('/', 'no such words', KEYS.enter);
  expect(console.screen.text).toContain('"no such words" is not in any text.');
});

test.concurrent('When the run asks the person, the answer is passed to the run', async (context) => {
  const { expect } = context;
  const run = makeStreamingRun();
  const console = openConsole(context, run);
  streamAnswers(run);
  run.tell('gate.opened', {
    step: 'budget/1',
    prompt: 'This call may pass the budget of 40k tokens. Continue without a limit?',
    options: [
      { value: 'stop', label: 'Stop here and keep the answers so far' },
      { value: 'go-on', label: 'Continue without a limit' },
    ],
    default: 'stop',
  });
  await expectScreen(context, console, 'gate-120x40');
  // The keys `1` and `2` open tabs, so the two keys must not answer a question that opened just before them.
  await console.press('1', '2');
  expect(console.done).toEqual([]);
  await console.press('A');
  await console.press(KEYS.down, KEYS.enter);
  expect(console.done).toEqual(['answer budget/1 go-on']);
  run.tell('gate.answered', { step: 'budget/1', answer: 'go-on', by: 'person' });
  await console.screen.settled();
  expect(console.screen.text).not.toContain('The run is waiting for you');
});

test.concurrent('The list of commands is narrowed by the typed words', async (context) => {
  const console = openConsole(context, makeAnsweredRun());
  await console.press(':', 'synth');
  await expectScreen(context, console, 'palette-120x40');
  await console.press(KEYS.enter);
});

test.concurrent('The fields of the search and of the list of commands accept typed and pasted text, and keys that correct the text', async (context) => {
  const { expect } = context;
  const console = openConsole(context, makeAnsweredRun());
  const makePaste = (text: string) => `\u001b[200~${text}\u001b[201~`;
  await console.press('/', 'one two', '\u0017', makePaste('th\nree'), '\u0001', 'x', '\u001f');
  expect(console.screen.lines.at(-2)).toBe(' /one th ree');
  await console.press(KEYS.escape, ':', 'nothing', '\u0015', makePaste('synth'));
  expect(console.screen.text).toContain('> Make another synthesis');
  await console.press(KEYS.escape);
});

test.concurrent('A run with placeholder answers is marked as a rehearsal', async (context) => {
  const { expect } = context;
  const run = new FakeRun();
  run.rehearsal = true;
  run.open(QUESTION, [makeFakeSeat('advocate', 'Advocate', 'rehearsal/panel')]).ask('advocate');
  const console = openConsole(context, run, { columns: 80, rows: 24 });
  run.send('advocate').say('advocate', makeProse(1, 40));
  await expectScreen(context, console, 'rehearsal-80x24');
  expect(console.screen.lines[0]).toContain('REHEARSAL');
});

test.concurrent('A very long question is cut in the title, and the key ? shows the whole question', async (context) => {
  const { expect } = context;
  const question = `Is it wise ${makeProse(2, 60)} at all?`;
  const console = openConsole(context, new FakeRun().open(question).ask('advocate'), {
    columns: 80,
    rows: 24,
  });
  await expectScreen(context, console, 'long-question-80x24');
  await console.press('?');
  expect(console.screen.text.replaceAll(/\s+/g, ' ')).toContain('at all?');
});

test.concurrent('The console offers no keys to change a run of another process', async (context) => {
  const { expect } = context;
  const run = makeStreamingRun();
  const console = openConsole(context, run, { acting: false });
  streamAnswers(run);
  await expectScreen(context, console, 'watching-120x40');
  await console.press('s', 'S', 'e');
  expect(console.done).toEqual([]);
});

test.concurrent('A run is marked as open elsewhere if another process works on the run', async (context) => {
  const console = openConsole(context, makeAnsweredRun(), { acting: false, elsewhere: true });
  await console.screen.settled();
  context.expect(console.screen.lines[0]).toContain('✓ done, open elsewhere');
});

test.concurrent('The smallest supported screen shows a run with its tabs and title', async (context) => {
  const run = makeAnsweredRun();
  run.rehearsal = true;
  const console = openConsole(context, run, { columns: 40, rows: 10 });
  await expectScreen(context, console, 'least-40x10');
  const { lines } = console.screen;
  context.expect(lines).toHaveLength(10);
  context.expect(lines[0]).toMatch(/^ board · .*✓ done/);
  context.expect(lines[1]).toContain('[1 Columns]');
});

test.concurrent('A terminal that is too small shows a message until it grows', async (context) => {
  const { expect } = context;
  const run = makeStreamingRun();
  const console = openConsole(context, run, { columns: 30, rows: 8 });
  await expectScreen(context, console, 'too-small-30x8');
  console.screen.resize(80, 24);
  await console.screen.settled();
  expect(console.screen.text).toContain('Advocate  qwen3:8b');
  console.screen.resize(12, 2);
  await console.screen.settled();
  expect(console.screen.text).toContain('terminal to…');
});

test.concurrent('Resizing leaves no characters of the old screen', async (context) => {
  const { expect } = context;
  const run = makeAnsweredRun();
  const resized = openConsole(context, run, { columns: 200, rows: 50 });
  await resized.screen.settled();
  for (const [columns, rows] of [
    [80, 24],
    [120, 40],
    [61, 30],
    [150, 20],
    [150, 34],
  ] as const) {
    resized.screen.resize(columns, rows);
    await resized.screen.settled();
    const fresh = openConsole(context, run, { columns, rows });
    await fresh.screen.settled();
    expect(resized.screen.text).toBe(fresh.screen.text);
  }
});
