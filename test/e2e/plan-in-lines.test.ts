/** What a run asks at a terminal without the console: in lines, with a real terminal. */
import { expect, it } from 'vitest';
import { planOf } from '../../src/protocols/plan/fold.ts';
import { runDeliberate } from './calls.ts';
import { factsIn } from './deliberators.ts';
import { makeDatabasePath } from './scene.ts';
import { PROGRAM, Terminal } from './terminal.ts';

const PLAN = ['plan', '--rehearse', '--rehearse-speed', '1000', '--rounds', '1', '--seed', '7'];
const ASKED = /^Your answer \[open\]: /m;

/** Plans the example, whose only question is open after the one round. */
function startPlan(db: string, ...flags: readonly string[]): Terminal {
  return new Terminal([...PLAN, ...flags], { env: { DELIBERATE_DB: db } });
}

it('a plan with --plain asks the person at a terminal to decide a conflict', async () => {
  const db = makeDatabasePath();
  const terminal = startPlan(db, '--plain');
  const asked = await terminal.until(ASKED);
  expect(asked).toMatch(/^Q-1: Which of them holds/m);
  expect(asked).toMatch(/^ {2}game-designer-3 +The first version takes \d+ days at most\.$/m);
  expect(asked).toMatch(/^ {2}own: WORDS +decide in my own words$/m);
  terminal.press('nonsense\r');
  await terminal.until(/"nonsense" is not one of the choices: game-designer-3, .*\nYour answer/s);
  terminal.press('own\r');
  await terminal.until(/^What is to hold\? /m);
  terminal.press('Nothing is fixed before June.\r');
  expect(await terminal.exited).toBe(0);
  const plan = planOf(factsIn(db));
  expect(plan.decided).toMatchObject([{ conflict: 'Q-1', option: 'person-1', by: 'person' }]);
  expect(plan.statements.at(-1)?.text).toBe('Nothing is fixed before June.');
});

it('a plan with --quiet still asks the person about a conflict, and Enter leaves the conflict open', async () => {
  const db = makeDatabasePath();
  const terminal = startPlan(db, '--plain', '--quiet');
  expect(await terminal.until(ASKED)).toMatch(/^Q-1: Which of them holds/m);
  terminal.press('\r');
  expect(await terminal.exited).toBe(0);
  expect(planOf(factsIn(db)).decided).toMatchObject([{ conflict: 'Q-1', by: 'default' }]);
});

it('a plan’s question about a conflict closes if it is answered by another process', async () => {
  const db = makeDatabasePath();
  const answered = startPlan(db, '--plain');
  await answered.until(ASKED);
  const { code } = await runDeliberate(['answer', 'latest', 'save-keeper-3'], {
    env: { DELIBERATE_DB: db },
  });
  expect(code).toBe(0);
  expect(await answered.exited).toBe(0);
  expect(planOf(factsIn(db)).decided).toMatchObject([{ option: 'save-keeper-3', by: 'person' }]);

  const stopped = startPlan(makeDatabasePath(), '--plain');
  await stopped.until(ASKED);
  stopped.press('\u0003');
  expect(await stopped.exited).toBe(130);
  expect(stopped.raw).toMatch(/stopped.*continue with/);
});

it('a plan whose input does not come from the terminal leaves its conflict open', async () => {
  const db = makeDatabasePath();
  const words = [process.execPath, PROGRAM, ...PLAN].map((word) => `'${word}'`).join(' ');
  const terminal = new Terminal(['-c', `${words} < /dev/null`], {
    command: '/bin/sh',
    env: { DELIBERATE_DB: db },
  });
  expect(await terminal.exited).toBe(0);
  expect(planOf(factsIn(db)).written?.state).toBe('open');
});

it.each([['--json'], ['--yes']])(
  'a plan with %s asks the person nothing, and leaves its conflict undecided',
  async (flag) => {
    const db = makeDatabasePath();
    const terminal = startPlan(db, '--plain', flag);
    expect(await terminal.exited).toBe(0);
    expect(terminal.raw).not.toContain('Your answer');
    expect(planOf(factsIn(db)).decided).toEqual([]);
  },
);
