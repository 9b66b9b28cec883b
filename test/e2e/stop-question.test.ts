/**
 * Tests the question whether to stop, in a real terminal: what it says, how it waits, what an answer does.
 */
import { expect, it } from 'vitest';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { waitUntil } from '../until.ts';
import { factsIn } from './deliberators.ts';
import { makeDatabasePath, viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

const SIGNALS = [
  'claims have stopped changing',
  'disagreement holds',
  'every role has led',
  'the panel was tried without its roles',
  'the question is still the question',
  'few claims are left untested',
];

/** Starts a rehearsal with a seed whose signals lead to the question after round 4, and again later. */
function startRehearsal(columns: number, rows: number, db: string): Terminal {
  const args = ['rounds', '--rehearse', '--rehearse-speed', '1000', '--preset', 'software-review'];
  const plan = ['--rounds', '6', '--stress', 'none', '--seed', '5'];
  return new Terminal([...args, ...plan, 'Should we split it?'], {
    columns,
    rows,
    env: { DELIBERATE_DB: db },
  });
}

async function expectQuestion(terminal: Terminal): Promise<void> {
  const asked = await terminal.until(/The run is waiting for you .*Esc later/s);
  expect(asked).toContain('After round 4: 4 of 6 signals are satisfied. Stop with a synthesis?');
  for (const signal of SIGNALS) expect(asked).toMatch(new RegExp(`[✓✗·] ${signal}`));
  expect(asked).toMatch(/Another round: about \d+k tokens, \$0, /);
  expect(asked).toMatch(/So far: Rehearsal: /);
  // On a small screen, the panel's decisions are below the visible part of the question, so scroll down. The newest
  // three decisions are listed, and the earlier ones are counted.
  if (/more below \(PgDn\)/.test(asked)) terminal.press('\u001b[6~');
  const told = await terminal.until(/and [1-9]\d* earlier decisions?/);
  expect(told.match(/^.*│ - \S/gm)).toHaveLength(3);
  expect(asked).toContain('> Stop and synthesize (default)');
  expect(asked).toContain('Hold another round');
  expect(asked.split('\n').at(-1)).toContain('Esc later');
}

it('the question whether to stop rounds shows its reasons on a small and a large screen, and stays open while it is put aside', async () => {
  const db = makeDatabasePath();
  const terminal = startRehearsal(80, 24, db);
  await expectQuestion(terminal);

  const bar = '? Waiting for your answer (A): After round 4';
  for (const [columns, rows] of [
    [80, 24],
    [120, 40],
  ] as const) {
    if (columns > 80) {
      terminal.resize(columns, rows);
      await terminal.until((screen) => screen.split('\n').at(-1)?.includes('Esc later') === true);
      await expectQuestion(terminal);
    }
    terminal.press('\u001b');
    const aside = await terminal.until((screen) => screen.includes(bar));
    expect(aside).not.toContain('Stop and synthesize');
    expect(aside).toContain('[2 Rounds]');
    // Esc has put the question aside, so keys work on the page again: `k` moves the page's cursor up.
    expect(aside).toMatch(/^> +✓ G Decisions/m);
    terminal.press('k');
    await terminal.until(/^> +✓ F Claims/m);
    terminal.press('4');
    const signals = await terminal.until(/\[4 Signals\]/);
    expect(signals).toContain(bar);
    terminal.press('3');
    expect(await terminal.until(/\[3 Claims\]/)).toContain(bar);
    // While the question is put aside, it stays open.
    const before = factsIn(db).length;
    expect(viewIn(db).gate?.step).toBe('round-4/stop');

    // Go back to the tab and the line from which each pass of this loop begins, one for each screen size.
    terminal.press('2');
    await terminal.until(/\[2 Rounds\]/);
    terminal.press('j');
    await terminal.until(/^> +✓ G Decisions/m);
    terminal.press('A');
    const again = await terminal.until(/The run is waiting for you /);
    expect(again).toContain('> Stop and synthesize (default)');
    expect(factsIn(db)).toHaveLength(before);
  }
  terminal.press('\u001b[B');
  await terminal.until(/> Hold another round/);
  terminal.press('\r');
  // The person's answer leads to another round, after which the person is asked again whether to stop.
  const next = await terminal.until(/After round 5: \d of 6 signals/);
  expect(next).toMatch(/The run is waiting for you /);
  terminal.press('\r');
  await terminal.until(/✓ done/);
  terminal.press('q');
  expect(await terminal.exited).toBe(0);
  expect(roundsOf(factsIn(db)).rounds).toHaveLength(5);
  expect(viewIn(db).syntheses).toHaveLength(1);
});

it('PgDn at a question that fits the screen does not move the cursor among the answers', async () => {
  const db = makeDatabasePath();
  const args = ['board', '--rehearse', '--rehearse-speed', '1000', '--budget-tokens', '2000'];
  const terminal = new Terminal([...args, 'Should we split it?'], {
    columns: 120,
    rows: 40,
    env: { DELIBERATE_DB: db },
  });
  await terminal.until(/> Stop here and keep the answers so far \(default\)/);
  terminal.press('\u001b[6~');
  terminal.press('\r');
  await terminal.until((screen) => !screen.includes('The run is waiting for you'));
  await waitUntil(() => listFactsOfType(factsIn(db), 'gate.answered')[0], 'answer');
  expect(listFactsOfType(factsIn(db), 'gate.answered')).toMatchObject([{ answer: 'stop' }]);
});
