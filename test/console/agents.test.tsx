/** Agents at work in the console: the tree of who works for whom, and columns for what streams now. */
import { type TestContext, test } from 'vitest';
import type { SystemAccess } from '../../src/console/run/ports.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { FakeRun, makeFakeSeat, makeProse } from './fake-run.ts';
import { KEYS, type OpenedConsole, openRunConsole } from './terminal.ts';

type Context = Pick<TestContext, 'expect' | 'onTestFinished'>;

const NAMES = ['desk', 'council', 'analyst', 'skeptic', 'editor', 'risk'];
const USAGE = { input: 1200, output: 340, cached: 0, cacheWritten: 0, thinking: 0 };

/** A run with a router that chose a team in its second cycle, and with an advisor whose time was up. */
class GraphRun extends FakeRun {
  #attempts = 0;

  start(path: string, why: 'root' | 'advisor' | 'routed' | 'member', cycle?: number): this {
    const agent = path.split('/').at(-1) ?? '';
    const patterns = { desk: 'router', council: 'team' } as const;
    const parent =
      why === 'root' ? undefined : path.replace(/\/[a-z]+(?:\/cycle-\d+\/members)?\/[^/]+$/, '');
    return this.tell('agent.started', {
      path,
      agent,
      pattern: agent === 'desk' || agent === 'council' ? patterns[agent] : 'session',
      why,
      ...withoutUndefined({ parent }),
      advisors: agent === 'desk' ? ['risk'] : [],
      ...(agent === 'council' ? { handoff: 'editor' } : {}),
      ...withoutUndefined({ cycle }),
    });
  }

  begin(step: string, seat: string): string {
    this.#attempts += 1;
    const attempt = `call-${this.#attempts}`;
    this.tell('step.started', { step, attempt, kind: 'call', seat, model: `ollama/${seat}` });
    return attempt;
  }

  stream(step: string, seat: string, call: string, text: string): this {
    this.bus.live({ type: 'text', text, step, seat, call });
    this.bus.flush();
    return this;
  }

  finish(
    type: 'call.completed' | 'call.stopped',
    step: string,
    seat: string,
    attempt: string,
  ): this {
    return this.tell(type, {
      step,
      attempt,
      seat,
      role: seat,
      model: `ollama/${seat}`,
      text: makeProse(3, 20),
      thinking: '',
      usage: USAGE,
      costUsd: 0.002,
      latencyMs: 1400,
      attempts: 1,
      notes: [],
      rehearsal: false,
    });
  }

  complete(path: string, status: 'done' | 'timed-out', reason?: string): this {
    const agent = path.split('/').at(-1) ?? '';
    return this.tell('agent.completed', {
      path,
      agent,
      status,
      failedSteps: [],
      calls: 1,
      usage: USAGE,
      costUsd: 0.002,
      unpriced: 0,
      text: status === 'done' ? `So says ${agent}.` : '',
      ...(reason === undefined ? { answeredBy: agent } : { reason }),
    });
  }
}

function graphRun(): GraphRun {
  const run = new GraphRun();
  run.open(
    'Should we split the monolith?',
    NAMES.map((id) => makeFakeSeat(id, id, `ollama/${id}`)),
    'agent',
  );
  run.start('desk', 'root').start('desk/advisors/risk', 'advisor');
  const late = run.begin('desk/advisors/risk/call', 'risk');
  run.wait(5000).finish('call.stopped', 'desk/advisors/risk/call', 'risk', late);
  run.complete('desk/advisors/risk', 'timed-out', 'no answer within 5 s');
  const choice = run.begin('desk/route', 'desk');
  run.wait(1400).finish('call.completed', 'desk/route', 'desk', choice);
  run.tell('route.chosen', {
    path: 'desk',
    agent: 'desk',
    choice: 'council',
    reason: 'a design is wanted',
  });
  const team = 'desk/routed/council';
  run.start(team, 'routed');
  for (const member of ['analyst', 'skeptic']) {
    const path = `${team}/team/cycle-1/members/${member}`;
    run.start(path, 'member', 1);
    const call = run.begin(`${path}/call`, member);
    run.wait(1400).finish('call.completed', `${path}/call`, member, call).complete(path, 'done');
  }
  for (const member of ['analyst', 'skeptic'])
    run.start(`${team}/team/cycle-2/members/${member}`, 'member', 2);
  return run.wait(600);
}

function openConsole(
  { onTestFinished }: Context,
  run: FakeRun,
  columns: number,
  rows: number,
  outside: Partial<SystemAccess> = {},
): OpenedConsole {
  const opened = openRunConsole(run, { columns, rows, outside });
  onTestFinished(async () => {
    opened.console.close();
    await opened.console.closed;
  });
  return opened;
}

for (const [columns, rows] of [
  [80, 24],
  [140, 40],
] as const)
  test.concurrent(`The tab Tree of a run with agents looks like its stored snapshot at ${columns}x${rows}`, async (context) => {
    const run = graphRun();
    const console = openConsole(context, run, columns, rows);
    await console.press('2');
    for (const member of ['analyst', 'skeptic'])
      run.begin(`desk/routed/council/team/cycle-2/members/${member}/call`, member);
    await console.screen.settled();
    await context
      .expect(`${console.screen.text}\n`)
      .toMatchFileSnapshot(`screens/agents-tree-${columns}x${rows}.txt`);
  });

test.concurrent('In the tab Tree of agents, the key f folds the lines below an agent, and a search hides agents that do not match', async (context) => {
  const { expect } = context;
  const console = openConsole(context, graphRun(), 120, 40);
  await console.press('2', 'g', 'j', 'j', 'f');
  expect(console.screen.text).toMatch(/council \+4/);
  expect(console.screen.text).not.toContain('skeptic  member');
  await console.press('f', '/', ...'risk', KEYS.enter);
  expect(console.screen.text).toContain('no answer within 5 s');
  expect(console.screen.text).not.toContain('analyst');
});

test.concurrent('The key y in the tab Tree copies the chosen agent’s answer, and nothing if the agent gave none', async (context) => {
  const { expect } = context;
  const copied: string[] = [];
  const run = graphRun();
  const console = openConsole(context, run, 120, 40, {
    copy: (text) => Promise.resolve(void copied.push(text)),
  });
  await console.press('2', '/', ...'risk', KEYS.enter, 'y');
  expect(copied).toEqual([]);
  await console.press('/', ...'cycle-1/members/analyst', KEYS.enter, 'y');
  expect(copied).toEqual(['So says analyst.']);
});

test.concurrent('While a run with agents goes on, the tab Columns replaces an agent’s column once its call has ended and another agent’s has begun', async (context) => {
  const { expect } = context;
  const run = graphRun();
  const console = openConsole(context, run, 120, 40);
  await console.screen.settled();
  const step = 'desk/routed/council/team/cycle-2/members/analyst/call';
  const call = run.begin(step, 'analyst');
  run.stream(step, 'analyst', call, 'The second time round I say something else.');
  await console.screen.settled();
  expect(console.screen.text).toMatch(/^ analyst {2}/m);
  expect(console.screen.text).toContain('The second time round');
  expect(console.screen.text).not.toMatch(/^ risk {2}/m);
  run.finish('call.completed', step, 'analyst', call);
  run.begin('desk/routed/council/team/cycle-2/supervisor/call', 'council');
  await console.screen.settled();
  expect(console.screen.text).toMatch(/^ council {2}/m);
  expect(console.screen.text).not.toMatch(/^ analyst {2}/m);
});

test.concurrent('If there is only one column, the Tab key shows a message that names the tab with the other agents’ texts, and the end of the run counts each agent once', async (context) => {
  const { expect } = context;
  const run = graphRun();
  const console = openConsole(context, run, 120, 40);
  run.begin('desk/routed/council/team/cycle-2/supervisor/call', 'council');
  await console.press(KEYS.tab);
  expect(console.screen.text).toContain(
    'There is only one column. Tree (2) has what the others said.',
  );
  run.complete('desk', 'done').end('done');
  await console.screen.settled();
  // Each agent is counted once, however often it was called.
  expect(console.screen.text).toContain('Done: answered by desk, 5 agents took part.');
});

test.concurrent('A key for an action that is impossible in a run with agents shows a message that says why', async (context) => {
  const { expect } = context;
  const console = openConsole(context, graphRun(), 120, 40);
  await console.press('r');
  expect(console.screen.text).toContain('Agents write no synthesis.');
  await console.press('a');
  expect(console.screen.text).toContain('Follow-up questions work on board runs only.');
  await console.press('w');
  expect(console.screen.text).toContain('Ablation works on board runs only.');
  await console.press('R');
  expect(console.screen.text).toContain('Single agents cannot be retried; resume or fork the run.');
  await console.press('M');
  expect(console.screen.text).toContain('To change the model of an agent, fork the run.');
});

test.concurrent('The tab Tree counts tokens while an agent answers', async (context) => {
  const { expect } = context;
  const run = graphRun();
  const console = openConsole(context, run, 120, 40);
  await console.press('2', 'G');
  const step = 'desk/routed/council/team/cycle-2/members/skeptic/call';
  const call = run.begin(step, 'skeptic');
  run.stream(step, 'skeptic', call, 'word '.repeat(400));
  await console.screen.settled();
  const readChosenRow = (): string =>
    console.screen.lines.find((line) => line.startsWith('>')) ?? '';
  expect(readChosenRow()).toMatch(/skeptic .*~500/);
  expect(console.screen.lines[0]).toMatch(/~6\.7k tok/);
  await console.press(KEYS.enter);
  expect(console.screen.text).toContain('word word word');
  run.finish('call.completed', step, 'skeptic', call);
  await console.screen.settled();
  expect(console.screen.text).toContain(makeProse(3, 20).slice(0, 40));
  await console.press(KEYS.escape);
  expect(readChosenRow()).toContain('skeptic');
});

test.concurrent('After the end of the run, each agent’s output has a column', async (context) => {
  const { expect } = context;
  const run = graphRun();
  const last = run.begin('desk/routed/council/team/cycle-2/supervisor/call', 'council');
  run.finish('call.completed', 'desk/routed/council/team/cycle-2/supervisor/call', 'council', last);
  const console = openConsole(context, run, 80, 24);
  await console.press('1');
  // While the run goes on, a column is removed when its call has ended and another call begins.
  expect(console.screen.text).not.toContain('analyst');
  run.complete('desk', 'done').end('done');
  await console.screen.settled();
  expect(console.screen.text).toMatch(/‹ 5 of 5 › .*risk ■.* analyst ✓.*\[council ✓\]/);
  expect(console.screen.text).toMatch(/^ council {2}/m);
  await console.press('z');
  expect(console.screen.text).toContain('It already has the whole screen.');
  await console.press(KEYS.tab);
  expect(console.screen.text).toMatch(/^ risk .*■ stopped {3}desk /m);
  await console.press(KEYS.tab, KEYS.tab);
  expect(console.screen.text).toContain('[analyst ✓]');
  await console.press(KEYS.escape);
  expect(console.screen.text).toMatch(/‹ 5 of 5 ›/);
});
