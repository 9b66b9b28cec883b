/** The tabs of a structured deliberation: their screens, the walk through the records, their keys. */
import { describe, type TestContext, test } from 'vitest';
import { FakeRounds, makeThreeRounds } from './fake-rounds.ts';
import { FakeRun, makeProse } from './fake-run.ts';
import { type ConsoleOptions, KEYS, type OpenedConsole, openRunConsole } from './terminal.ts';

const SIZES = [
  [80, 24],
  [120, 40],
  [200, 50],
] as const;
const BACKSPACE = '\u007f';

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

describe.each(SIZES)('the tabs of rounds at %i×%i', (columns, rows) => {
  const size = `${columns}x${rows}`;

  test.concurrent('show a phase that is running', async (context) => {
    const { run, speak } = makeThreeRounds();
    const console = openConsole(context, run, { columns, rows });
    await console.screen.settled();
    speak();
    await expectScreen(context, console, `rounds-live-${size}`);
  });

  test.concurrent('show a finished round that one role sat out', async (context) => {
    const { run } = makeThreeRounds();
    const console = openConsole(context, run, { columns, rows });
    await console.press('g', 'j'.repeat(30), 'k'.repeat(40), 'g');
    for (let step = 0; step < 40 && !/> . Round 2/.test(console.screen.text); step += 1)
      await console.press('j');
    await expectScreen(context, console, `rounds-stress-${size}`);
  });

  test.concurrent('show claims', async (context) => {
    const { run } = makeThreeRounds();
    const console = openConsole(context, run, { columns, rows });
    await console.press('3', 'j');
    await expectScreen(context, console, `claims-${size}`);
    await console.press(KEYS.enter);
    await expectScreen(context, console, `claims-card-${size}`);
  });

  test.concurrent('show the tabs Signals, Tree and Log', async (context) => {
    const { run } = makeThreeRounds();
    const console = openConsole(context, run, { columns, rows });
    await console.press('4');
    await expectScreen(context, console, `signals-${size}`);
    await console.press('5');
    await expectScreen(context, console, `tree-${size}`);
    await console.press('6');
    await expectScreen(context, console, `log-${size}`);
  });
});

test.concurrent('The tab Rounds shows a verdict and what it changed about a claim, and Enter opens the verdict', async (context) => {
  const { expect } = context;
  const { run } = makeThreeRounds();
  const console = openConsole(context, run);
  await console.press('g');
  for (let step = 0; step < 40 && !/> +1 attack/.test(console.screen.text); step += 1)
    await console.press('j');
  expect(console.screen.text).toContain('V-1-1 · attack against the trace');
  expect(console.screen.text).toContain('BROKEN');
  expect(console.screen.text).toContain('C-1-1: open → refuted');
  await console.press(KEYS.enter, 'j');
  expect(console.screen.text).toContain('> V-1-1');
  await console.press('z');
  expect(console.screen.text).not.toContain('Round 2');
  await console.press(KEYS.escape, KEYS.escape, KEYS.escape);
  expect(console.screen.text).toContain('Round 3 · D Artifacts');
});

test.concurrent('Enter opens the page of a claim, then by links its verdict and a decision that cites it; Backspace and Esc go back', async (context) => {
  const { expect } = context;
  const { run } = makeThreeRounds();
  const console = openConsole(context, run);
  const followLink = async (link: RegExp): Promise<void> => {
    for (let step = 0; step < 30 && !link.test(console.screen.text); step += 1)
      await console.press('j');
    expect(console.screen.text).toMatch(link);
    await console.press(KEYS.enter);
  };
  await console.press('3', KEYS.enter);
  expect(console.screen.text).toContain('Claim C-1-1 · refuted · raised by the Action in round 1');
  await followLink(/> → V-1-1 {2}plan BROKEN · open → refuted · upholds, on the whole/);
  expect(console.screen.text).toContain('Verification V-1-1 · plan BROKEN');
  expect(console.screen.text).toContain('Claims it moved');
  await followLink(/> → D-1-1/);
  expect(console.screen.text).toContain('Decision D-1-1 · stands · round 1');
  await followLink(/> → C-1-2/);
  expect(console.screen.text).toContain('Claim C-1-2 · confirmed');
  await followLink(/> → artifacts\/round_1\/guardian.md/);
  expect(console.screen.text).toContain('Verifications that cite it');
  await followLink(/> → round-1\/D\/guardian/);
  expect(console.screen.text).toContain('Call round-1/D/guardian · done');
  await console.press(BACKSPACE, BACKSPACE);
  expect(console.screen.text).toContain('Claim C-1-2 · confirmed');
  await console.press(BACKSPACE, BACKSPACE);
  expect(console.screen.text).toContain('Verification V-1-1 · plan BROKEN');
  // Like Backspace, Esc goes back from the open record to the one that was open before it, and from the first one
  // to the list of claims.
  await console.press(KEYS.escape);
  expect(console.screen.text).toContain('Claim C-1-1 · refuted');
  await console.press(KEYS.escape);
  expect(console.screen.text).toContain('7 claims');
});

test.concurrent('Claims can be filtered by keys and by words', async (context) => {
  const { expect } = context;
  const { run } = makeThreeRounds();
  const console = openConsole(context, run, { columns: 80, rows: 24 });
  await console.press('3');
  expect(console.screen.lines.at(-1)).toContain('t status  o role  u round');
  // The key `t` shows the open claims, then the claims of each other status, and then all claims again.
  for (const status of ['open', 'confirmed', 'refuted', 'partly refuted']) {
    await console.press('t');
    expect(console.screen.text).toMatch(
      new RegExp(`\\d of 7 claims: ${status}\\b.* · Esc shows all`),
    );
  }
  await console.press('t');
  expect(console.screen.text).toContain(' 7 claims\n');
  await console.press('t', 't', 't');
  expect(console.screen.text).toContain('2 of 7 claims: refuted');
  await console.press('u');
  expect(console.screen.text).toContain('1 of 7 claims: refuted, of round 1 · Esc shows all');
  await console.press(KEYS.escape);
  await console.press('/', 'critic holds', KEYS.enter);
  expect(console.screen.text).toContain('1 of 7 claims: with "critic holds"');
  await console.press(KEYS.escape);
  expect(console.screen.text).toContain('7 claims');
});

test.concurrent('A search in the log shows only matching lines until Esc', async (context) => {
  const { expect } = context;
  const { run } = makeThreeRounds();
  const console = openConsole(context, run);
  await console.press('6', '/', 'decision.made', KEYS.enter);
  expect(console.screen.text).toMatch(/2 of \d+ facts match "decision.made"/);
  await console.press(KEYS.escape);
  run.tell('step.failed', { step: 'round-3/X', attempt: 'a', message: 'THE NEWEST' });
  await console.screen.settled();
  expect(console.screen.text).toContain('THE NEWEST');
});

test.concurrent('In rounds, notes, pauses and the choice of a role that sits out are passed to the run', async (context) => {
  const { expect } = context;
  const { run } = makeThreeRounds();
  const console = openConsole(context, run, { columns: 80, rows: 24 });
  expect(console.screen.text).toBeDefined();
  await console.press('i', 'Weigh on-call.');
  await expectScreen(context, console, 'note-80x24');
  await console.press(KEYS.enter);
  expect(console.screen.text).toContain('The next round will see it.');
  await console.press('i', 'never mind', KEYS.escape);
  await console.press('x', 'j');
  await expectScreen(context, console, 'stress-80x24');
  await console.press(KEYS.enter, 'x', KEYS.up, KEYS.enter, 'p');
  expect(console.screen.lines[0]).toContain('paused');
  expect(console.done).toEqual([
    'tell {"kind":"note","text":"Weigh on-call."}',
    'tell {"kind":"stress","absent":"guardian"}',
    'tell {"kind":"stress","absent":null}',
    'pause',
  ]);
  run.end('stopped');
  await console.screen.settled();
  expect(console.screen.lines[0]).not.toContain('paused');
});

test.concurrent('A key that has no effect in this run shows a message that says why', async (context) => {
  const { expect } = context;
  const run = new FakeRun().open('Why?').ask('advocate').stop('advocate').end('stopped');
  const console = openConsole(context, run);
  await console.press('r');
  expect(console.screen.text).toContain('No seat has answered; nothing to synthesize.');
  await console.press('x');
  expect(console.screen.text).toContain('This run has no rounds.');
  expect(console.done).toEqual([]);
});

test.concurrent('The keys R (ask a seat again) and A (answer the run) say why they have no effect now', async (context) => {
  const { expect } = context;
  const run = new FakeRun().open('Why?').ask('advocate').send('advocate');
  const console = openConsole(context, run);
  await console.press('R');
  expect(console.screen.text).toContain('This seat is being asked; S stops it.');
  await console.press('A');
  expect(console.screen.text).toContain('No question is open; the run goes on by itself.');
  run.say('advocate', 'So.').done('advocate').end('stopped');
  await console.press('R');
  expect(console.screen.text).toContain('This seat has answered; M asks another model.');
  await console.press('A');
  expect(console.screen.text).toContain('No question is open; the run has stopped. c resumes it.');
  await console.press(KEYS.tab, 'R');
  expect(console.screen.text).toContain('This seat has not been asked yet; c resumes the run.');
  expect(console.done).toEqual([]);
});

test.concurrent('The key R says that a stopped seat of rounds cannot be asked again', async (context) => {
  const { expect } = context;
  const { run } = makeThreeRounds();
  run.ask('action').send('action').stop('action').end('stopped');
  const console = openConsole(context, run, { columns: 140 });
  await console.press('1');
  expect(console.screen.lines.at(-1)).not.toMatch(/ask again|other model/);
  await console.press('R');
  expect(console.screen.text).toContain(
    'Single seats cannot be retried in rounds; resume or fork the run.',
  );
  expect(console.done).toEqual([]);
});

test.concurrent('The message about a requested synthesis disappears once the synthesis is written and the run has ended', async (context) => {
  const { expect } = context;
  const run = new FakeRun().open('Why?').ask('advocate').say('advocate', 'So.').done('advocate');
  run.end('done');
  const console = openConsole(context, run);
  await console.press('r', KEYS.enter);
  expect(console.screen.text).toContain('Starting another synthesis.');
  run.tell('run.resumed', { request: { kind: 'resynthesize', version: 1 } });
  run.ask('synthesizer/1').say('synthesizer/1', '## Answer').synthesize(1).end('done');
  await console.screen.settled();
  expect(console.screen.text).not.toContain('Starting another synthesis.');
});

test.concurrent('The title of the terminal’s window names the question as soon as the run begins', async (context) => {
  const { expect } = context;
  const run = new FakeRun();
  const console = openConsole(context, run);
  run.open('What is new?');
  await console.screen.settled();
  expect(console.screen.raw).toContain('\u001b]2;● 0/3 · What is new?\u0007');
});

test.concurrent('After 60 rounds, moving the cursor in the tab Claims still writes only the rows that change', async (context) => {
  const { expect } = context;
  const run = new FakeRounds().start('Why?');
  for (let round = 1; round <= 60; round += 1)
    run.round(round, 'action', undefined, makeProse(1, 9));
  const console = openConsole(context, run, { columns: 80, rows: 24 });
  await console.press('3');
  const before = console.screen.raw.length;
  await console.press('j');
  // After the key, the console writes only two rows of the list and the position of the cursor.
  expect(console.screen.raw.length - before).toBeLessThan(2000);
});

test.concurrent('A decision shows the claims on which it is based, with their status', async (context) => {
  const { expect } = context;
  const run = new FakeRounds().startByReading('Can it carry the peak?');
  run.tell('decision.made', {
    id: 'D-1-1',
    round: 1,
    text: 'Order two more nodes',
    made_by: 'round_lead',
    round_artifact_refs: [],
    step: 'round-1/G/assessment',
    cites: [
      { type: 'claim', id: 'C-1-1', relation: 'based-on', takes_as: 'false' },
      { type: 'claim', id: 'C-9-9', relation: 'based-on' },
    ],
  });
  const console = openConsole(context, run, { columns: 160, rows: 40 });
  await console.press('2');
  for (let at = 0; at < 12; at += 1) await console.press('k');
  await console.screen.settled();
  const page = console.screen.text;
  // The decision cites C-9-9, which is not recorded, so only its id is shown.
  expect(page).toMatch(
    /D-1-1 Order two more nodes\. Cites C-1-1 \(".{10,40}", refuted, read in the/,
  );
  expect(page.replace(/\s+\|?\s*/g, ' ')).toMatch(/text\); C-9-9\./);
});

test.concurrent('The question whether to stop shows reasons, and Esc hides the question', async (context) => {
  const { expect } = context;
  const { run } = makeThreeRounds();
  const console = openConsole(context, run, { columns: 80, rows: 24 });
  run.tell('gate.opened', {
    step: 'round-2/stop',
    prompt: 'After round 2: 4 of 6 signals are satisfied. Stop with a synthesis?',
    options: [
      { value: 'stop', label: 'Stop and synthesize' },
      { value: 'continue', label: 'Hold another round' },
    ],
    default: 'stop',
  });
  await console.screen.settled();
  expect(console.screen.text).toContain('The run is waiting for you');
  expect(console.screen.text).toContain('✓ the question is still the question');
  expect(console.screen.text).toMatch(/✗ disagreement holds: disagreement falls/);
  expect(console.screen.text).toContain('> Stop and synthesize (default)');
  expect(console.screen.lines.at(-1)).toContain('Esc later');
  await console.press(KEYS.escape);
  expect(console.screen.text).not.toContain('Stop and synthesize');
  expect(console.screen.lines.at(-2)).toContain('? Waiting for your answer (A): After round 2');
  expect(console.screen.lines.at(-1)).toContain('A answer');
  await console.press('3');
  expect(console.screen.text).toContain('[3 Claims]');
  expect(console.screen.lines.at(-2)).toContain('? Waiting for your answer');
  expect(console.done).toEqual([]);
  await console.press('A', KEYS.down, KEYS.enter);
  expect(console.done).toEqual(['answer round-2/stop continue']);
  run.tell('gate.answered', { step: 'round-2/stop', answer: 'continue', by: 'person' });
  await console.screen.settled();
  expect(console.screen.text).not.toContain('The run is waiting for you');
  expect(console.screen.lines.at(-2)).toContain('Answered.');
  run.end('done');
  await console.screen.settled();
  expect(console.screen.text).not.toContain('Answered.');
});

test.concurrent('On the page of the phase Opening of a round, a role’s text stands above the answers in the entrance test', async (context) => {
  const { expect } = context;
  const { run } = makeThreeRounds();
  run.call('round-1/A/exam-1', 'verifier', 'Twenty-eight findings.');
  run.call('round-1/A/critic', 'critic', 'Wait for a year.');
  const console = openConsole(context, run);
  await console.press('g');
  for (let step = 0; step < 40 && !/> +✓ A Opening/.test(console.screen.text); step += 1)
    await console.press('j');
  const { text } = console.screen;
  expect(text).toContain('The Action leads this round.');
  expect(text.indexOf('Wait for a year.')).toBeGreaterThan(0);
  expect(text.indexOf('Twenty-eight findings.')).toBeGreaterThan(text.indexOf('Wait for a year.'));
});

test.concurrent('Choosing a tab hides the question that the run asks', async (context) => {
  const { expect } = context;
  const { run } = makeThreeRounds();
  const console = openConsole(context, run);
  run.tell('gate.opened', {
    step: 'round-2/stop',
    prompt: 'Stop?',
    options: [{ value: 'stop', label: 'Stop and synthesize' }],
    default: 'stop',
  });
  await console.screen.settled();
  expect(console.screen.text).toContain('Another round: about');
  await console.press('4');
  expect(console.screen.text).toContain('[4 Signals]');
  expect(console.screen.text).not.toContain('Stop and synthesize');
  expect(console.screen.lines.at(-2)).toContain('? Waiting for your answer');
  expect(console.done).toEqual([]);
});

test.concurrent('The question whether to stop names a decision that rests on an open claim', async (context) => {
  const { expect } = context;
  const run = new FakeRounds().startByReading('Can it carry the peak?');
  const console = openConsole(context, run);
  run.tell('decision.made', {
    id: 'D-1-9',
    round: 1,
    text: 'Count it first.',
    made_by: 'consensus',
    step: 's',
    cites: [
      { type: 'claim', id: 'C-1-2', relation: 'based-on', takes_as: 'true' },
      { type: 'claim', id: 'C-1-1', relation: 'supersedes' },
    ],
    round_artifact_refs: [],
  });
  run.tell('gate.opened', {
    step: 'round-1/stop',
    prompt: 'Stop?',
    options: [{ value: 'stop', label: 'Stop and synthesize' }],
    default: 'stop',
  });
  await console.screen.settled();
  expect(console.screen.text).toMatch(/D-1-9; rests on a claim that is open/);
});

test.concurrent('The tab Claims shows whether a claim was settled by reading, and the tab Signals how the readers did in the entrance test', async (context) => {
  const { expect } = context;
  const run = new FakeRounds().startByReading('Can it carry the peak?');
  const console = openConsole(context, run);
  await console.press('3');
  expect(console.screen.text).toMatch(/C-1-1 +Critic +refuted, read/);
  expect(console.screen.text).toMatch(/C-1-2 +Action +open, to test/);
  expect(console.screen.text).toContain('1 record rejected');
  await console.press(KEYS.enter);
  expect(console.screen.text).toContain('Claim C-1-1 · refuted, read in the text');
  expect(console.screen.text).toContain('plan.md, line 2: "One node carries 800 writes a second."');
  await console.press(KEYS.escape, 'G', KEYS.enter);
  expect(console.screen.text).toContain(
    'Round 1, Guardian: "It copies.": its test only repeats it.',
  );
  await console.press('4');
  expect(console.screen.text).toContain(
    'house/reader reads. It passed the entrance test with 1 of 24 items',
  );
  expect(console.screen.text).toContain('ALARM: The reader got too many control sentences wrong');
  run.tell('reader.examined', {
    model: 'house/guesser',
    passed: false,
    items: 28,
    errors: 9,
    called_true: 4,
    source: 'held',
    why: '',
  });
  await console.screen.settled();
  expect(console.screen.text.replace(/\s+/g, ' ')).toMatch(
    /house\/reader read at first\. It passed .* Then house\/guesser failed the entrance test with 9 of 28 items wrong, .*: since then nobody reads/,
  );
});

test.concurrent('The key v opens the tab with the votes, or before the first vote shows a message that names the tab', async (context) => {
  const { expect } = context;
  const run = new FakeRounds().start('Now?').tell('round.started', { round: 1, lead: 'action' });
  const console = openConsole(context, run.phase(1, 'A'), { columns: 80, rows: 24 });
  await console.press('v');
  expect(console.screen.text).toContain('No vote so far. Votes are listed in the Signals tab.');
  const ballots = ['action', 'critic'].map((seat) => ({ seat, model: 'a/b', option: 'Wait' }));
  run.tell('vote.counted', { round: 1, peers: false, by: 'wording', ballots });
  await console.press('v');
  expect(console.screen.text).toContain('Signals are read at the end of every round.');
  expect(console.screen.text).toContain('round 1, blind: 2 for Wait');
  await console.press('v');
  expect(console.screen.text).toContain('[2 Rounds]');
  await console.press('4', 'v');
  expect(console.screen.text).toContain('The vote is listed in this tab.');
});

test.concurrent('The key # lists the records that a text names', async (context) => {
  const { expect } = context;
  const { run } = makeThreeRounds();
  run.call('round-3/B/proposal', 'action', 'Nothing named.');
  const text = 'Wait, as **C-1-2** holds and D-1-1 decided; V-2-1 and C-9-9 do not.';
  run.ask('synthesizer/1').say('synthesizer/1', text).synthesize(1, { text }).end('done');
  const console = openConsole(context, run, { columns: 80, rows: 24 });
  await console.press('1', '#');
  expect(console.screen.text).toContain('Names 4 records: 1 does not exist · Synthesis');
  expect(console.screen.text).toMatch(
    /> ✓ C-1-2 ".*", .*\n.*✓ D-1-1 ".*\n.*✓ V-2-1 .*\n.*✗ C-9-9 no claim/,
  );
  await console.press('G', KEYS.enter);
  expect(console.screen.text).toContain('Names 4 records');
  await console.press('g', KEYS.enter);
  expect(console.screen.text).toContain('Claims > C-1-2');
  await console.press(KEYS.escape);
  expect(console.screen.text).toContain('[1 Columns]');
  await console.press('#', 'j', KEYS.enter);
  expect(console.screen.text).toContain('Claims > D-1-1');
  // If a link opened the tab Claims, pressing this tab's key `3` keeps the way back. Esc still leads to the
  // text with the link.
  await console.press('3', KEYS.escape);
  expect(console.screen.text).toContain('[1 Columns]');
  await console.press('3', '#');
  expect(console.screen.text).toContain('This text cites no record of the run.');
});

test.concurrent('The key hints in the screen’s last row leave out keys that have no effect at the cursor', async (context) => {
  const { expect } = context;
  const run = new FakeRounds().start('Why?');
  run.tell('round.started', { round: 1, lead: 'action' }).phase(1, 'B');
  const console = openConsole(context, run, { columns: 120, rows: 40 });
  const readFooter = (): string => console.screen.lines.at(-1) ?? '';
  await console.press('3');
  expect(console.screen.text).toContain('No claims yet.');
  expect(readFooter()).not.toMatch(/Enter open|t status|o role|u round/);
  await console.press('2');
  expect(readFooter()).toContain('Enter open');
  await console.press(KEYS.enter);
  expect(readFooter()).not.toContain('Enter open');
  await console.press(KEYS.escape);
  expect(readFooter()).toContain('Enter open');
});

test.concurrent('In the tab Tree, the screen’s last row lists the key f (fold) only if the cursor is on a line with nested lines', async (context) => {
  const { expect } = context;
  const run = new FakeRounds().start('Why?').round(1, 'action');
  const console = openConsole(context, run);
  await console.press('5', 'g');
  expect(console.screen.lines.at(-1)).toContain('f fold');
  await console.press('G');
  expect(console.screen.lines.at(-1)).not.toContain('f fold');
  await console.press('f');
  expect(console.screen.lines.at(-2)).toContain('Nothing to fold here.');
});

test.concurrent('The log shows the end of a step’s name if the name is too long for its column', async (context) => {
  const { expect } = context;
  const run = new FakeRounds().start('Why?');
  run.call('decision-review/advisors/risk-assessor/call', 'critic', 'No.');
  const console = openConsole(context, run, { columns: 120, rows: 40 });
  await console.press('6');
  expect(console.screen.text).toContain('…/risk-assessor/call');
});
