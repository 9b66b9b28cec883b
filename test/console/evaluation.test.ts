/**
 * The screen of an evaluation: whole, against committed files, and key by key. What it shows while it
 * goes on never says whether an answer is right.
 */
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { EvaluationModel } from '../../src/console/evaluation/model.ts';
import { keyTableMarkdown } from '../../src/console/keys/key-table.ts';
import { KEYMAP } from '../../src/console/keys/keymap.ts';
import {
  EVALUATION_HEAD,
  makeAnswer,
  makeAnswers,
  type OpenedEvaluation,
  openEvaluationScreen,
  START_MS,
} from './evaluation-screen.ts';
import { KEYS } from './terminal.ts';

const REPORT = [
  '# puzzles:3, board against vote/board: a rehearsal, no verdict',
  'By dollars and by tokens: a rehearsal, no verdict.',
  'Fewer than 200 items carry no verdict, whatever they show; here are 20.',
  ...Array.from({ length: 40 }, (_one, index) => `- Line ${index + 1} of the report.`),
].join('\n\n');

function openEvaluation(...given: Parameters<typeof openEvaluationScreen>): OpenedEvaluation {
  const shown = openEvaluationScreen(...given);
  onTestFinished(async () => {
    shown.opened.close();
    await shown.opened.closed;
  });
  return shown;
}

async function expectScreen({ screen }: OpenedEvaluation, name: string): Promise<void> {
  await screen.settled();
  expect(screen.broken).toEqual([]);
  for (const row of screen.lines) expect(row.length).toBeLessThanOrEqual(screen.columns);
  await expect(`${screen.text}\n`).toMatchFileSnapshot(`screens/${name}.txt`);
}

/** Returns an evaluation whose panels have answered everything, and whose vote has not. */
function makeSamplingModel(): EvaluationModel {
  const model = new EvaluationModel(EVALUATION_HEAD, START_MS);
  for (let turn = 0; turn < 20; turn += 1)
    for (const arm of ['single', 'board'] as const) model.tell(makeAnswer(arm, turn));
  return model;
}

function makeEndedModel(): EvaluationModel {
  const model = makeAnswers();
  model.stand({ kind: 'ended', turns: 20, report: REPORT }, START_MS + 72_000);
  return model;
}

describe.each([
  [80, 24],
  [140, 40],
] as const)('the evaluation screen at %i×%i', (columns, rows) => {
  const size = `${columns}x${rows}`;

  test('shows the compared arms (ways to answer) while some of their answers are missing', async () => {
    const head = { ...EVALUATION_HEAD, limits: { usd: 5 }, rehearsal: true };
    await expectScreen(openEvaluation(makeAnswers(head), { columns, rows }), `evaluation-${size}`);
  });

  test('shows the failed answers of one arm, and the help', async () => {
    const shown = openEvaluation(makeAnswers(), { columns, rows });
    await shown.press('a', 'a', 'a', 'f');
    await expectScreen(shown, `evaluation-failed-${size}`);
    await shown.press('?');
    await expectScreen(shown, `evaluation-help-${size}`);
  });

  test('shows that the evaluation is stopping', async () => {
    const shown = openEvaluation(makeAnswers(), { columns, rows });
    await shown.press(KEYS.ctrlC);
    await expectScreen(shown, `evaluation-stopping-${size}`);
  });

  test('shows the report', async () => {
    const shown = openEvaluation(makeEndedModel(), { columns, rows });
    await shown.press(KEYS.tab);
    await expectScreen(shown, `evaluation-report-${size}`);
  });
});

it.each([
  [40, 10],
  [120, 40],
  [200, 50],
] as const)(
  'the evaluation screen without colors and line characters fits %i×%i, also after the terminal was too small',
  async (columns, rows) => {
    const plain = { TERM: 'linux', NO_COLOR: '1' };
    const shown = openEvaluation(makeAnswers(), { columns, rows, env: plain });
    await shown.screen.settled();
    expect(shown.screen.broken).toEqual([]);
    expect(shown.screen.text).toMatch(/single +=+-+ +10 of 20/);
    expect(shown.screen.text).toMatch(/board +=+-+ +9 of 20/);
    expect(shown.screen.text).not.toMatch(/[━─]/);
    // Every row of the screen is used, so the keys are in the last one.
    expect(shown.screen.lines[rows - 1]).toMatch(/\? help +q quit$/);
    shown.screen.resize(30, 8);
    await shown.screen.settled();
    expect(shown.screen.text).toContain('terminal too small');
    shown.screen.resize(columns, rows);
    await shown.screen.settled();
    expect(shown.screen.text).toMatch(/board +=+-+ +9 of 20/);
  },
);

it('the evaluation screen does not show which answers are right before the end', async () => {
  const shown = openEvaluation(makeAnswers(), { columns: 200, rows: 50 });
  await shown.press('?');
  const help = shown.screen.text;
  await shown.press(KEYS.escape);
  for (const text of [help, shown.screen.text])
    expect(text).not.toMatch(/\b(right|wrong|correct|score|accuracy)\b/i);
});

it('the remaining time of an evaluation is estimated from answers given now, not from recorded ones', () => {
  const model = new EvaluationModel(EVALUATION_HEAD, START_MS);
  const now = START_MS + 60_000;
  for (let turn = 0; turn < 10; turn += 1) {
    model.tell(makeAnswer('single', turn, { isOld: true }));
    model.tell(makeAnswer('board', turn, { isOld: true }));
  }
  expect(model.turns).toEqual({ done: 10, of: 20 });
  expect(model.leftMs(now)).toBeUndefined();
  for (let turn = 10; turn < 15; turn += 1) {
    model.tell(makeAnswer('single', turn));
    model.tell(makeAnswer('board', turn));
  }
  const tokens = { single: 300, board: 3_000, voteOfSingle: 3_000 };
  const both = tokens.single + tokens.board;
  const left = 20 * (both + tokens.voteOfSingle) - 15 * both;
  expect(model.leftMs(now)).toBeCloseTo((60_000 / (5 * both)) * left, 3);
  expect(model.ratioOf('board')).toBeCloseTo(10, 6);
  expect(model.samplesOf).toBe(11 * 20);
});

it('a task of an evaluation counts as done when the single model and the board have answered it, except while one answers it again', () => {
  const model = new EvaluationModel(EVALUATION_HEAD, START_MS);
  const running = { state: 'running', answer: undefined, calls: 2 } as const;
  model.tell(makeAnswer('single', 0));
  model.tell(makeAnswer('board', 0, running));
  expect(model.turns.done).toBe(0);
  expect(model.calls).toBe(2);
  model.tell(makeAnswer('board', 0));
  model.tell(makeAnswer('board', 0));
  expect(model.turns.done).toBe(1);
  expect(model.calls).toBe(0);
  expect(model.figuresOf('board')).toMatchObject({ ended: 1, running: 0, tokens: 3_000 });
  // When the board begins to answer an item of the evaluation again, its first answer no longer makes the item
  // count as done.
  model.tell(makeAnswer('board', 0, running));
  expect(model.turns.done).toBe(0);
  expect(model.spent.usd).toBeCloseTo(0.022, 9);
});

it('the cursor of the evaluation screen stays on its answer while other answers arrive', async () => {
  const model = makeAnswers();
  const shown = openEvaluationScreen(model);
  await shown.screen.settled();
  await shown.press('j', 'j', 'j');
  const chosen = shown.screen.lines.find((row) => row.startsWith('>'));
  expect(chosen).toContain('knights-3-1-9');
  for (let turn = 11; turn < 15; turn += 1) model.tell(makeAnswer('board', turn));
  shown.opened.changed();
  await shown.screen.settled();
  expect(shown.screen.lines.find((row) => row.startsWith('>'))).toBe(chosen);
  await shown.press(KEYS.enter);
  const { choice, state } = await shown.opened.closed;
  expect(choice).toEqual({ kind: 'open', run: 'run-single-9-0' });
  expect(state.chosen).toBe('single 9 0');
});

it('on the evaluation screen, a text typed after the key / narrows the list of answers, and Esc shows the whole list', async () => {
  const shown = openEvaluation(makeAnswers());
  await shown.press('/', '8');
  expect(shown.screen.text).toMatch(/knights-3-1-8/);
  expect(shown.screen.text).not.toMatch(/knights-3-1-[0-7]/);
  await shown.press(KEYS.enter);
  expect(shown.screen.text).toContain('Answers: "8"  2  Esc shows all');
  await shown.press(KEYS.escape);
  expect(shown.screen.text).toMatch(/Answers {2}22/);
  await shown.press('f');
  const rows = shown.screen.lines.filter((row) => /knights/.test(row));
  expect(rows.map((row) => /unreadable|failed/.exec(row)?.[0])).toEqual(['failed', 'unreadable']);
});

it('the first Ctrl-C stops the evaluation, and the second leaves the screen', async () => {
  const shown = openEvaluationScreen(makeAnswers());
  await shown.press(KEYS.ctrlC);
  expect(shown.done).toEqual(['stop']);
  expect(shown.screen.text).toContain('waiting for 3 answers');
  await shown.press('s');
  expect(shown.screen.text).toContain('already stopping');
  await shown.press(KEYS.ctrlC);
  expect((await shown.opened.closed).choice).toEqual({ kind: 'leave' });
  expect(shown.done).toEqual(['stop']);
  expect(shown.screen.alternate).toBe(false);
});

it('the key q asks before it stops the evaluation, and never stops an evaluation of another process', async () => {
  const own = openEvaluation(makeAnswers());
  await own.press('q');
  expect(own.screen.text).toContain('y stops it');
  await own.press('n');
  expect(own.done).toEqual([]);
  await own.press('q', 'y');
  expect(own.done).toEqual(['stop']);
  const watched = openEvaluationScreen(makeAnswers({ ...EVALUATION_HEAD, isOwn: false }));
  await watched.press('s');
  expect(watched.screen.text).toContain('Another process is running it');
  await watched.press('q');
  expect((await watched.opened.closed).choice).toEqual({ kind: 'leave' });
  expect(watched.done).toEqual([]);
});

it('the report of an evaluation can be searched, copied and exported after all answers are in', async () => {
  const model = makeAnswers();
  const shown = openEvaluation(model);
  await shown.press('e');
  expect(shown.screen.text).toContain('No report until all answers are in');
  model.stand({ kind: 'ended', turns: 20, report: REPORT }, START_MS + 72_000);
  shown.opened.reported();
  await shown.screen.settled();
  expect(shown.screen.text).toContain('a rehearsal, no verdict');
  await shown.press('/', 'line 31', KEYS.enter);
  expect(shown.screen.text).toContain('Line 31 of the report');
  expect(shown.screen.text).toMatch(/match 1 of 1 for "line 31"/);
  await shown.press('e', 'h');
  expect(shown.screen.text).toContain('Exported to /tmp/report.h');
  await shown.press('y');
  expect(shown.done).toEqual(['export h', `copy ${REPORT.length}`]);
  expect(shown.screen.text).toContain('Copied by pbcopy');
  await shown.press('G');
  expect(shown.screen.text).toContain('Line 40 of the report');
});

it('keys that a person has configured work on the evaluation screen', async () => {
  const shown = openEvaluation(makeAnswers(), {
    keys: { 'evaluation.stop': 'x', 'evaluation.failed': 'F' },
  });
  await shown.screen.settled();
  expect(shown.screen.text).toMatch(/x stop .*F failed/);
  await shown.press('s');
  expect(shown.done).toEqual([]);
  await shown.press('x');
  expect(shown.done).toEqual(['stop']);
  expect(keyTableMarkdown(KEYMAP)).toContain('in the answers of an evaluation');
});

it('names of models and answers lose their control characters on the evaluation screen', async () => {
  const model = new EvaluationModel(
    {
      ...EVALUATION_HEAD,
      set: 'own\u001b]52;c;AAAA\u0007.jsonl',
      models: ['ollama/\u001b[2Jmodel'],
    },
    START_MS,
  );
  const bad = '41\u001b[31m\u0007\u202e';
  model.tell(makeAnswer('board', 0, { answer: bad, item: 'item\u001b[H' }));
  model.tell(makeAnswer('board', 1, { state: 'failed', reason: '\u009b2Jgone\nfor good' }));
  const shown = openEvaluation(model);
  await shown.screen.settled();
  expect(shown.screen.raw).not.toMatch(/\u001b\]52|\u001b\[2Jmodel|\u202e|\u009b/);
  expect(shown.screen.text).toContain('41');
  expect(shown.screen.broken).toEqual([]);
});

test('the evaluation screen says “sampling votes” while only repeated answers of the single model are missing', async () => {
  const shown = openEvaluation(makeSamplingModel(), { columns: 80, rows: 24 });
  await shown.screen.settled();
  expect(shown.screen.lines[2]).toMatch(/^ 20 of 20 done, sampling votes · /);
});
