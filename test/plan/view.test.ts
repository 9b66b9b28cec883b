/** How a plan looks in the console, told by hand: every tab, what Enter opens, and what its keys say. */
import { type TestContext, test } from 'vitest';
import { KEYS, type Opened, open } from '../console/terminal.ts';
import { type FakePlan, planRun } from './facts.ts';

const SIZES = [
  [80, 24],
  [120, 40],
  [200, 50],
] as const;

type Context = Pick<TestContext, 'expect' | 'onTestFinished'>;

function show({ onTestFinished }: Context, run: FakePlan, columns = 120, rows = 40): Opened {
  const one = open(run, { columns, rows });
  onTestFinished(async () => {
    one.console.close();
    await one.console.closed;
  });
  return one;
}

async function matches({ expect }: Context, { screen }: Opened, name: string): Promise<void> {
  await screen.settled();
  for (const line of screen.lines) expect(line.length).toBeLessThanOrEqual(screen.columns);
  await expect(`${screen.text}\n`).toMatchFileSnapshot(`screens/${name}.txt`);
}

for (const [columns, rows] of SIZES)
  test.concurrent(`the tabs of a plan at ${columns}x${rows}`, async (context) => {
    const console = show(context, planRun('done'), columns, rows);
    const size = `${columns}x${rows}`;
    await matches(context, console, `done-${size}`);
    await console.press('2');
    await matches(context, console, `gate-${size}`);
    await console.press(KEYS.enter);
    await matches(context, console, `gate-opened-${size}`);
    await console.press('3');
    await matches(context, console, `conflicts-${size}`);
    await console.press('j', KEYS.enter);
    await matches(context, console, `conflict-opened-${size}`);
    await console.press('4');
    await matches(context, console, `context-${size}`);
    await console.press('j', 'j', 'j', KEYS.enter);
    await matches(context, console, `question-opened-${size}`);
    await console.press('5');
    await matches(context, console, `documents-${size}`);
  });
