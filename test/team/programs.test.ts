/** Coding agents' own programs do the work: what they write decides, whatever they say and leave behind. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

/** Misbehaves when it is first called; what it does then is put right the next time, and done. */
async function once(first: string, then = WRITE): Promise<Held> {
  const house = new House(notes());
  const seen = join(house.person.root, 'called');
  const held = await hold(running(`if mkdir '${seen}'; then ${first}; else ${then}; fi`), house);
  expect(held.ending).toEqual({ status: 'done' });
  return held;
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
  it('is told its task in a file or on its input, and its tree is its work', async () => {
    const house = new House(notes());
    const told = join(house.person.root, 'told');
    const held = await hold(running(`cat > '${told}'; ${WRITE}`), house);
    expect(held.ending).toEqual({ status: 'done' });
    expect(held.asked).toEqual(['plan', 'critique', 'verify', 'verify', 'accept']);
    expect(readFileSync(told, 'utf8')).toContain('Your task, one:');
    expect(held.view.tasks[0]?.attempts[0]?.started.model).toBe('sh');
    const named = new House(notes());
    const file = { argv: ['sh', '-c', `grep -q 'Your task' "$1" && ${WRITE}`, 'sh', '{brief}'] };
    const again = await hold({ runtime: { kind: 'command', ...file, timeoutS: 60 } }, named);
    expect(again.ending).toEqual({ status: 'done' });
    // Whoever approves the plan has seen what is started.
    expect(named.gates[0]).toContain(
      'The work is done by a program, with network: ["sh","-c","grep -q',
    );
  });

  it('that exits 0 and has done nothing has done nothing', async () => {
    const held = await once('echo "All done, all green!"');
    expect(cameTo(held)).toEqual([['empty'], []]);
    const looked = held.view.checks.filter(({ kind }) => kind === 'commit');
    expect(looked).toHaveLength(1);
  });

  it('that writes beside its files has its commit refused as a whole, links too', async () => {
    const held = await once(
      `${WRITE}; echo x > src/other.txt; ln -sf /etc/passwd src/link.txt`,
      'rm src/other.txt src/link.txt',
    );
    expect(cameTo(held)).toEqual([['link src/link.txt', 'outside src/other.txt'], []]);
  });

  it('that links a file of its own to the system’s has it refused', async () => {
    const held = await once(`ln -sf /etc/passwd ${fileOf('one')}`, `rm ${fileOf('one')}; ${WRITE}`);
    expect(cameTo(held)).toEqual([[`link ${fileOf('one')}`], []]);
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

  it('that never ends is ended, and what it did by then is looked at like all else', async () => {
    const held = await hold(running(`${WRITE}; sleep 300`, 1));
    expect(held.ending).toEqual({ status: 'done' });
  });

  it('that leaves processes behind leaves none', async () => {
    const house = new House(notes());
    const pid = join(house.person.root, 'pid');
    const held = await hold(
      running(
        `setsid sh -c 'echo $$ > "${pid}"; exec sleep 300' & until [ -s '${pid}' ]; do sleep 0.05; done; ${WRITE}`,
      ),
      house,
    );
    expect(held.ending).toEqual({ status: 'done' });
    await expect.poll(() => lives(Number(readFileSync(pid, 'utf8')))).toBe(false);
  });

  it('that prints escapes puts none on record', async () => {
    const house = new House(notes());
    const escapes = String.raw`printf '\033]52;c;cm0=\007\033[2Jshown'`;
    const held = await hold(running(`${WRITE}; ${escapes}`), house);
    expect(held.ending).toEqual({ status: 'done' });
    const printed = executions(house);
    expect(JSON.stringify(printed)).toContain('shown');
    expect(JSON.stringify([printed, held.facts])).not.toMatch(/u001b|u009b/);
  });

  it('that is not there is nobody’s fault, and said', async () => {
    const held = await hold({
      runtime: { kind: 'command', argv: ['no-such-agent'], timeoutS: 60 },
    });
    expect(held.ending.status).toBe('failed');
    expect(cameTo(held)[0]).toBe('its program could not start');
    expect(held.view.tasks[0]?.retried.every(({ uncounted }) => uncounted)).toBe(true);
  });

  it('is told no key and no variable of the person', async () => {
    const house = new House(notes());
    const told = join(house.person.root, 'env');
    await hold(running(`env > '${told}'; ${WRITE}`), house);
    expect(existsSync(told)).toBe(true);
    expect(readFileSync(told, 'utf8')).not.toContain('never-to-be-seen');
  });
});

describe('an agent that speaks ACP', () => {
  const agent = (...orders: readonly string[]): string =>
    `exec '${process.execPath}' '${ACP}' ${orders.map((one) => `'${one}'`).join(' ')}`;
  const write = `write ${fileOf('one')} ${textOf('one').trim()}`;

  function speaking(script: string): Partial<TeamConfig> {
    return { runtime: { kind: 'acp', argv: ['sh', '-c', script], timeoutS: 30 } };
  }

  it.each([
    ['goes away', 'leave'],
    ['declines', 'stop refusal'],
    ['asks for leave to run a command, and says that it is done', 'ask execute'],
  ])('that %s has done nothing; one that writes has', async (_, order) => {
    const house = new House(notes());
    const seen = join(house.person.root, 'called');
    const script = `if mkdir '${seen}'; then ${agent(order)}; else ${agent(write)}; fi`;
    const held = await hold(speaking(script), house);
    expect(held.ending).toEqual({ status: 'done' });
    expect(cameTo(held)).toEqual([['empty'], []]);
    expect(held.view.tasks).toMatchObject([{ state: 'done', attempts: [{}] }]);
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
