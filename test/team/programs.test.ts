/** Coding agents' own programs do the work: what they write decides, whatever they say and leave behind. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { TeamConfig } from '../../src/protocols/team/config.ts';
import { type Held, House, lives } from './harness.ts';
import { fileOf, note, notes, notesPlan, soundly, textOf } from './notes.ts';

const TASKS = [note('one')];
const SCRIPT = soundly(notesPlan('T4-T5', TASKS), TASKS);
const ACP = fileURLToPath(new URL('../workshop/acp-agent.ts', import.meta.url));
const WRITE = `echo '${textOf('one').trim()}' > ${fileOf('one')}`;

function running(script: string, timeoutS = 60): Partial<TeamConfig> {
  return { runtime: { kind: 'command', argv: ['sh', '-c', script], timeoutS } };
}

async function hold(config: Partial<TeamConfig>, house = new House(notes())): Promise<Held> {
  return house.hold({ script: SCRIPT, config, answer: house.answers({ task: 'stop' }) });
}

/** Does one of these at each call, and the last of them from then on. */
function inTurn(house: House, ...scripts: readonly string[]): string {
  const [last = '', ...before] = scripts.toReversed();
  return before.reduce(
    (then, script, at) =>
      `if mkdir '${join(house.person.root, `called-${before.length - at}`)}'; then ${script}; else ${then}; fi`,
    last,
  );
}

/** What its program came to, each time. */
function executions({ database }: House): unknown[] {
  const rows = new Database(database)
    .prepare("SELECT result FROM step WHERE key LIKE '%/execute'")
    .pluck()
    .all();
  return rows.map((one) => JSON.parse(String(one)) as unknown);
}

/** Of each attempt: what came of what it handed in. */
function cameTo({ view }: Held): unknown[] {
  return view.tasks.flatMap(({ attempts }) =>
    attempts.flatMap(({ reported, commits }): unknown[] =>
      commits.length === 0
        ? [reported?.why ?? reported?.result?.status]
        : commits.map(({ refused }) => refused.map(({ why, path }) => `${why} ${path}`.trim())),
    ),
  );
}

describe('a command', () => {
  /** One that does its work and whatever else it can do beside; read before its house is gone. */
  let orderly: ReturnType<typeof doAll> | undefined;
  async function doAll() {
    const house = new House(notes());
    const [told, env, pid] = ['told', 'env', 'pid'].map((name) => join(house.person.root, name));
    const escapes = String.raw`printf '\033]52;c;cm0=\007\033[2Jshown'`;
    const stays = `setsid sh -c 'echo $$ > "${pid}"; exec sleep 300' & until [ -s '${pid}' ]; do sleep 0.05; done`;
    const held = await hold(
      running(`cat > '${told}'; env > '${env}'; ${stays}; ${WRITE}; ${escapes}`),
      house,
    );
    const read = (file = '') => readFileSync(file, 'utf8');
    return { held, printed: executions(house), told: read(told), env: read(env), pid: read(pid) };
  }
  const did = () => {
    orderly ??= doAll();
    return orderly;
  };

  it('is told its task on its input, and its tree is its work', async () => {
    const { held, told } = await did();
    expect(held.ending).toEqual({ status: 'done' });
    expect(held.asked).toEqual(['plan', 'critique', 'verify', 'verify', 'accept']);
    expect(told).toContain('Your task, one:');
    expect(held.view.tasks[0]?.attempts[0]?.started.model).toBe('sh');
  });

  it('that leaves processes behind leaves none', async () => {
    const { pid } = await did();
    await expect.poll(() => lives(Number(pid))).toBe(false);
  });

  it('that prints escapes puts none on record', async () => {
    const { held, printed } = await did();
    expect(JSON.stringify(printed)).toContain('shown');
    expect(JSON.stringify([printed, held.facts])).not.toMatch(/u001b|u009b/);
  });

  it('is told no key and no variable of the person', async () => {
    const { env } = await did();
    expect(env).toContain('PATH=');
    expect(env).not.toContain('never-to-be-seen');
  });

  it('that is told in a file and never ends is ended, and what it did is looked at like all else', async () => {
    const house = new House(notes());
    const script = `grep -q 'Your task' "$1" && ${WRITE}; sleep 300`;
    const file = { argv: ['sh', '-c', script, 'sh', '{brief}'] };
    const held = await hold({ runtime: { kind: 'command', ...file, timeoutS: 1 } }, house);
    expect(held.ending).toEqual({ status: 'done' });
    expect(executions(house)).toMatchObject([{ exit: null, ended: 'time' }]);
    // Whoever approves the plan has seen what is started.
    expect(house.gates[0]).toContain(
      'The work is done by a program, with network: ["sh","-c","grep -q',
    );
  });

  it('that exits 0 and has done nothing has done nothing; one that writes beside its files or links has all refused', async () => {
    const house = new House(notes());
    const own = fileOf('one');
    const script = inTurn(
      house,
      'echo "All done, all green!"',
      `ln -sf /etc/passwd ${own}; echo x > src/other.txt; ln -sf /etc/passwd src/link.txt`,
      `rm ${own} src/other.txt src/link.txt; ${WRITE}`,
    );
    const held = await hold(running(script), house);
    expect(held.ending).toEqual({ status: 'done' });
    expect(cameTo(held)).toEqual([
      ['empty'],
      ['link src/link.txt', `link ${own}`, 'outside src/other.txt'],
      [],
    ]);
    const looked = held.view.checks.filter(({ kind }) => kind === 'commit');
    expect(looked).toHaveLength(1);
  });

  it('that writes to the person’s checkout is found out, by the file', async () => {
    const house = new House(notes());
    const there = join(house.person.folder, 'src/start.txt');
    const held = await hold(running(`${WRITE}; echo mine >> '${there}'`), house);
    expect(held.ending.status).toBe('failed');
    expect(cameTo(held)[0]).toBe(`it wrote outside its tree: ${there}`);
    // It is seen, and not undone: a person may have saved it.
    writeFileSync(there, 'Notes begin here.\n');
  });

  it('that is not there is nobody’s fault, and said', async () => {
    const held = await hold({
      runtime: { kind: 'command', argv: ['no-such-agent'], timeoutS: 60 },
    });
    expect(held.ending.status).toBe('failed');
    expect(cameTo(held)[0]).toBe('its program could not start');
    expect(held.view.tasks[0]?.retried.every(({ uncounted }) => uncounted)).toBe(true);
  });
});

describe('an agent that speaks ACP', () => {
  const agent = (...orders: readonly string[]): string =>
    `NODE_COMPILE_CACHE='${process.env.NODE_COMPILE_CACHE ?? ''}' exec '${process.execPath}' '${ACP}' ${orders.map((one) => `'${one}'`).join(' ')}`;
  const write = `write ${fileOf('one')} ${textOf('one').trim()}`;

  function speaking(script: string): Partial<TeamConfig> {
    return { runtime: { kind: 'acp', argv: ['sh', '-c', script], timeoutS: 30 } };
  }

  it('that goes away, declines or asks for leave to run a command has done nothing; one that writes has', async () => {
    const house = new House(notes());
    const script = inTurn(
      house,
      ...[agent('leave'), agent('stop refusal'), agent('ask execute'), agent(write)],
    );
    const held = await hold(speaking(script), house);
    expect(held.ending).toEqual({ status: 'done' });
    expect(cameTo(held)).toEqual([['empty'], ['empty'], ['empty'], []]);
    // Twice it was sent back within its first attempt.
    expect(held.view.tasks).toMatchObject([{ state: 'done', attempts: [{}, {}] }]);
  });

  it('that never ends is ended, and what it did by then is looked at like all else', async () => {
    const runtime = { kind: 'acp' as const, argv: ['sh', '-c', `${WRITE}; ${agent('wait')}`] };
    const house = new House(notes());
    const held = await hold({ runtime: { ...runtime, timeoutS: 2 } }, house);
    expect(held.ending).toEqual({ status: 'done' });
    const [ran] = executions(house);
    expect(ran).toMatchObject({ exit: null, ended: 'time' });
  });

  it('that writes to the person’s checkout is found out, by the file', async () => {
    const house = new House(notes());
    const there = join(house.person.folder, 'src/start.txt');
    const up = '../'.repeat(30);
    const held = await hold(speaking(agent(write, `write ${up}${there} mine`)), house);
    expect(held.ending.status).toBe('failed');
    expect(cameTo(held)[0]).toBe(`it wrote outside its tree: ${there}`);
    expect(held.view.delivered).toBeUndefined();
    // It is seen, and not undone: a person may have saved it.
    writeFileSync(there, 'Notes begin here.\n');
  });
});
