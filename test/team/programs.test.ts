/**
 * Tests that coding agents' programs can do the work: what they write decides, whatever they say and leave
 * behind.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { TeamConfig } from '../../src/protocols/team/config.ts';
import { isRunning, TeamRunner, type TeamRunResult } from './harness.ts';
import {
  makeNotesPlan,
  makeNotesRepository,
  makeNoteTask,
  makeSoundScript,
  notePathOf,
  noteTextOf,
} from './notes.ts';

const TASKS = [makeNoteTask('one')];
const SCRIPT = makeSoundScript(makeNotesPlan('T4-T5', TASKS), TASKS);
const ACP = fileURLToPath(new URL('../workshop/acp-agent.ts', import.meta.url));
const WRITE = `echo '${noteTextOf('one').trim()}' > ${notePathOf('one')}`;

function configureCommand(script: string, timeoutS = 60): Partial<TeamConfig> {
  return { runtime: { kind: 'command', argv: ['sh', '-c', script], timeoutS } };
}

async function holdRun(
  config: Partial<TeamConfig>,
  runner = new TeamRunner(makeNotesRepository()),
): Promise<TeamRunResult> {
  return runner.begin({ script: SCRIPT, config, answer: runner.makeAnswerer({ task: 'stop' }) });
}

/** Returns a shell script that does one of these at each call; the last one repeats. */
function inTurn(runner: TeamRunner, ...scripts: readonly string[]): string {
  const [last = '', ...before] = scripts.toReversed();
  return before.reduce(
    (then, script, at) =>
      `if mkdir '${join(runner.person.root, `called-${before.length - at}`)}'; then ${script}; else ${then}; fi`,
    last,
  );
}

/** Returns the recorded result of each run of the program. */
function readExecutions({ database }: TeamRunner): unknown[] {
  const rows = new Database(database)
    .prepare("SELECT result FROM step WHERE key LIKE '%/execute'")
    .pluck()
    .all();
  return rows.map((row) => JSON.parse(String(row)) as unknown);
}

/** Returns what each attempt reported and what was committed of it. */
function cameTo({ view }: TeamRunResult): unknown[] {
  return view.tasks.flatMap(({ attempts }) =>
    attempts.flatMap(({ reported, commits }): unknown[] =>
      commits.length === 0
        ? [reported?.why ?? reported?.result?.status]
        : commits.map(({ refused }) => refused.map(({ why, path }) => `${why} ${path}`.trim())),
    ),
  );
}

describe('a coding agent’s command', () => {
  /**
   * What came of one coding agent’s command, which several tests examine. The command keeps its input and its
   * environment in files, leaves a process behind, does the team’s task and prints escape sequences.
   */
  let orderly: ReturnType<typeof doAll> | undefined;
  async function doAll() {
    const runner = new TeamRunner(makeNotesRepository());
    const [told, env, pid] = ['told', 'env', 'pid'].map((name) => join(runner.person.root, name));
    const escapes = String.raw`printf '\033]52;c;cm0=\007\033[2Jshown'`;
    const stays = `setsid sh -c 'echo $$ > "${pid}"; exec sleep 300' & until [ -s '${pid}' ]; do sleep 0.05; done`;
    const held = await holdRun(
      configureCommand(`cat > '${told}'; env > '${env}'; ${stays}; ${WRITE}; ${escapes}`),
      runner,
    );
    const readText = (file = '') => readFileSync(file, 'utf8');
    return {
      held,
      printed: readExecutions(runner),
      told: readText(told),
      env: readText(env),
      pid: readText(pid),
    };
  }
  const doAllOnce = () => {
    orderly ??= doAll();
    return orderly;
  };

  it('gets its task on standard input', async () => {
    const { held, told } = await doAllOnce();
    expect(held.ending).toEqual({ status: 'done' });
    expect(held.askedTasks).toEqual(['plan', 'critique', 'verify', 'verify', 'accept']);
    expect(told).toContain('Your task, one:');
    expect(held.view.tasks[0]?.attempts[0]?.started.model).toBe('sh');
  });

  it('gets the attached documents with its task', async () => {
    const runner = new TeamRunner(makeNotesRepository());
    const told = join(runner.person.root, 'told');
    const held = await holdRun(
      {
        ...configureCommand(`cat > '${told}'; ${WRITE}`),
        attachments: [{ name: 'style.md', text: 'Keep each note short.\n' }],
      },
      runner,
    );
    expect(held.ending).toEqual({ status: 'done' });
    const shown = /<attachment-\w+ from="style\.md">\n1: Keep each note short\.\n/;
    expect(readFileSync(told, 'utf8')).toMatch(shown);
    const tasks = new Set(held.models.requests.map(({ task }) => task));
    expect([...tasks]).toEqual(expect.arrayContaining(['team/plan', 'team/verify', 'team/accept']));
    for (const { messages } of held.models.requests)
      expect(messages[0]?.parts.map(({ text }) => text).join('\n')).toMatch(shown);
  });

  it('has the processes that it leaves behind killed', async () => {
    const { pid } = await doAllOnce();
    await expect.poll(() => isRunning(Number(pid))).toBe(false);
  });

  it('leaves no escape sequences in the record, whatever it prints', async () => {
    const { held, printed } = await doAllOnce();
    expect(JSON.stringify(printed)).toContain('shown');
    expect(JSON.stringify([printed, held.facts])).not.toMatch(/u001b|u009b/);
  });

  it('gets no API key of the person in its environment', async () => {
    const { env } = await doAllOnce();
    expect(env).toContain('PATH=');
    expect(env).not.toContain('never-to-be-seen');
  });

  it('can get its task in a file', async () => {
    const runner = new TeamRunner(makeNotesRepository());
    const script = `grep -q 'Your task' "$1" && ${WRITE}; sleep 300`;
    const file = { argv: ['sh', '-c', script, 'sh', '{brief}'] };
    const held = await holdRun({ runtime: { kind: 'command', ...file, timeoutS: 1 } }, runner);
    expect(held.ending).toEqual({ status: 'done' });
    expect(readExecutions(runner)).toMatchObject([{ exit: null, ended: 'time' }]);
    // The question about the plan shows the command that does the work to the person who approves the plan.
    expect(runner.gates[0]).toContain(
      'The work is done by a program, with network: ["sh","-c","grep -q',
    );
  });

  it('has done nothing if it writes no file, whatever it prints, and may not write links or files of others', async () => {
    const runner = new TeamRunner(makeNotesRepository());
    const own = notePathOf('one');
    const script = inTurn(
      runner,
      'echo "All done, all green!"',
      `ln -sf /etc/passwd ${own}; echo x > src/other.txt; ln -sf /etc/passwd src/link.txt`,
      `rm ${own} src/other.txt src/link.txt; ${WRITE}`,
    );
    const held = await holdRun(configureCommand(script), runner);
    expect(held.ending).toEqual({ status: 'done' });
    expect(cameTo(held)).toEqual([
      ['empty'],
      ['link src/link.txt', `link ${own}`, 'outside src/other.txt'],
      [],
    ]);
    const looked = held.view.checks.filter(({ kind }) => kind === 'commit');
    expect(looked).toHaveLength(1);
  });

  it('is detected if it writes into the person’s checkout', async () => {
    const runner = new TeamRunner(makeNotesRepository());
    const there = join(runner.person.folder, 'src/start.txt');
    const held = await holdRun(configureCommand(`${WRITE}; echo mine >> '${there}'`), runner);
    expect(held.ending.status).toBe('failed');
    expect(cameTo(held)[0]).toBe(`it wrote outside its tree: ${there}`);
  });

  it('uses up no attempt if it is not installed', async () => {
    const held = await holdRun({
      runtime: { kind: 'command', argv: ['no-such-agent'], timeoutS: 60 },
    });
    expect(held.ending.status).toBe('failed');
    expect(cameTo(held)[0]).toBe('its program could not start');
    expect(held.view.tasks[0]?.retried.every(({ uncounted }) => uncounted)).toBe(true);
  });
});

describe('an agent that speaks the Agent Client Protocol', () => {
  const formatAgentCommand = (...orders: readonly string[]): string =>
    `NODE_COMPILE_CACHE='${process.env.NODE_COMPILE_CACHE ?? ''}' exec '${process.execPath}' '${ACP}' ${orders.map((order) => `'${order}'`).join(' ')}`;
  const write = `write ${notePathOf('one')} ${noteTextOf('one').trim()}`;

  function configureAgent(script: string): Partial<TeamConfig> {
    return { runtime: { kind: 'acp', argv: ['sh', '-c', script], timeoutS: 30 } };
  }

  it('has done the work only if it writes files', async () => {
    const runner = new TeamRunner(makeNotesRepository());
    const script = inTurn(
      runner,
      ...[
        formatAgentCommand('leave'),
        formatAgentCommand('stop refusal'),
        formatAgentCommand('ask execute'),
        formatAgentCommand(write),
      ],
    );
    const held = await holdRun(configureAgent(script), runner);
    expect(held.ending).toEqual({ status: 'done' });
    expect(cameTo(held)).toEqual([['empty'], ['empty'], ['empty'], []]);
    // In the first attempt at the task, the agent ran three times and wrote nothing. In the second attempt,
    // the agent ran once and wrote the file.
    expect(held.view.tasks).toMatchObject([{ state: 'done', attempts: [{}, {}] }]);
  });

  it('is ended at its time limit', async () => {
    const runtime = {
      kind: 'acp' as const,
      argv: ['sh', '-c', `${WRITE}; ${formatAgentCommand('wait')}`],
    };
    const runner = new TeamRunner(makeNotesRepository());
    const held = await holdRun({ runtime: { ...runtime, timeoutS: 2 } }, runner);
    expect(held.ending).toEqual({ status: 'done' });
    const [ran] = readExecutions(runner);
    expect(ran).toMatchObject({ exit: null, ended: 'time' });
  });

  it('is detected if it writes into the person’s checkout', async () => {
    const runner = new TeamRunner(makeNotesRepository());
    const there = join(runner.person.folder, 'src/start.txt');
    const up = '../'.repeat(30);
    const held = await holdRun(
      configureAgent(formatAgentCommand(write, `write ${up}${there} mine`)),
      runner,
    );
    expect(held.ending.status).toBe('failed');
    expect(cameTo(held)[0]).toBe(`it wrote outside its tree: ${there}`);
    expect(held.view.delivered).toBeUndefined();
  });
});
