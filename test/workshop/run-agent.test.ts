/**
 * Tests the programs of coding agents with stand-ins that behave and misbehave. Each way in which an agent
 * with ACP can misbehave is tried with one of the sandboxes; the long form tries both.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { AgentExecution, ExecuteWish } from '../../src/kernel/tools/workshop.ts';
import { mayDo } from '../../src/workshop/running/acp.ts';
import { runAgent } from '../../src/workshop/running/run-agent.ts';
import { LONG } from '../long.ts';
import { NO_BWRAP, needAll } from '../setup/needs.ts';
import { hasBwrap, makeBench, makeEnvWithoutSandbox, type RunFoldersWithCopy } from './bench.ts';
import { NEVER_ABORTED, NO_PROVISION } from './wishes.ts';

const AGENT = [process.execPath, join(import.meta.dirname, 'acp-agent.ts')];

function runWish(
  bench: RunFoldersWithCopy,
  wish: Partial<ExecuteWish>,
  signal = NEVER_ABORTED,
): Promise<AgentExecution> {
  return runAgent(
    bench,
    {
      tree: bench.base,
      runtime: 'command',
      argv: [],
      brief: 'Do it.\n',
      timeoutS: 60,
      provision: NO_PROVISION,
      ...wish,
    },
    signal,
  );
}

const toShellWish = (script: string): Partial<ExecuteWish> => ({
  argv: ['sh', '-c', script, 'agent', '{brief}'],
});
const toAcpWish = (...orders: string[]): Partial<ExecuteWish> => ({
  runtime: 'acp',
  argv: AGENT,
  brief: orders.join('\n'),
});
const filesOf = (bench: RunFoldersWithCopy, tree: string): string[] =>
  bench.inCopy('ls-tree', '-r', '--name-only', '-z', tree).split('\0').filter(Boolean);

const SANDBOXES = [
  ['bwrap', hasBwrap, (bench: RunFoldersWithCopy): RunFoldersWithCopy => bench],
  [
    'none',
    true,
    (bench: RunFoldersWithCopy): RunFoldersWithCopy => ({
      ...bench,
      env: makeEnvWithoutSandbox(bench.env),
    }),
  ],
] as const;

describe.each(SANDBOXES)('a coding agent with the sandbox %s', (kind, isThere, prepared) => {
  needAll(isThere, NO_BWRAP);
  const prepareBench = (files?: Record<string, string>): RunFoldersWithCopy =>
    prepared(makeBench(files));

  it('leaves its work as a tree without ignored files', async () => {
    const place = prepareBench({
      'a.txt': 'a\n',
      'gone.txt': '',
      '.gitignore': 'node_modules\n*.log\n',
    });
    mkdirSync(join(place.repository, 'node_modules'));
    writeFileSync(join(place.repository, 'node_modules/x'), '');
    writeFileSync(join(place.repository, 'local.json'), '{}');
    const done = await runWish(place, {
      ...toShellWish(
        'cat "$1" > a.txt; rm gone.txt; mkdir n; echo n > "n/ü b"; echo l > x.log; ls local.json node_modules',
      ),
      provision: { folders: ['node_modules'], files: ['local.json'] },
    });
    expect(done).toMatchObject({ exit: 0, sandbox: kind, elsewhere: [], left: 0 });
    expect(done.output).toBe('local.json\n\nnode_modules:\nx\n');
    expect(filesOf(place, done.tree)).toEqual(['.gitignore', 'a.txt', 'n/ü b']);
    expect(place.inCopy('cat-file', '-p', `${done.tree}:a.txt`)).toBe('Do it.');
    expect(readdirSync(join(place.folder, 'work'))).toEqual([]);
  });

  it('gets its task on standard input if its command names no file for the task', async () => {
    const place = prepareBench();
    const done = await runWish(place, { argv: ['sh', '-c', 'cat > b.txt'] });
    expect(place.inCopy('cat-file', '-p', `${done.tree}:b.txt`)).toBe('Do it.');
  });

  it('hands back the tree that it was given if it changes no file, whatever it says', async () => {
    const place = prepareBench();
    const done = await runWish(place, toShellWish('echo "All done, all tests pass!"; exit 0'));
    expect(done).toMatchObject({ exit: 0, tree: place.base });
  });

  it('is killed if it does not end, and its changes so far are kept', async () => {
    const place = prepareBench();
    const done = await runWish(place, {
      ...toShellWish('echo b > b.txt; while :; do sleep 1; done'),
      timeoutS: 1,
    });
    expect(done).toMatchObject({ exit: null, ended: 'time' });
    expect(filesOf(place, done.tree)).toEqual(['a.txt', 'b.txt']);
  });

  it('has output without escape sequences and secrets', async () => {
    const place = prepareBench();
    const conceal = (text: string): string => text.replaceAll('sesame', '[key]');
    const done = await runWish(
      { ...place, conceal },
      toShellWish(String.raw`printf '\033]0;title\007\033[2Jopen sesame\n'`),
    );
    expect(done.output).toBe('open [key]\n');
  });

  it('has its remaining processes counted and killed', async () => {
    const sleeping = `sleep 300.${process.pid}`;
    const done = await runWish(
      prepareBench(),
      toShellWish(`${sleeping} > /dev/null & setsid ${sleeping} > /dev/null & sleep 0.5; exit 0`),
    );
    expect(done).toMatchObject({ exit: 0, left: 2 });
    const countSleeping = `cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -ac '[s]${sleeping.slice(1)}'`;
    expect(spawnSync('sh', ['-c', countSleeping], { encoding: 'utf8' }).stdout).toBe('0\n');
  });

  it('gets the variables and home files that the person listed, but no key that is not listed', async () => {
    const place = prepareBench();
    const home = place.env.HOME ?? '';
    mkdirSync(join(home, '.config/agent'), { recursive: true });
    writeFileSync(join(home, '.config/agent/auth.json'), 'signed in');
    const env = { ...place.env, AGENT_KEY: 'k', OTHER_KEY: 'o' };
    const done = await runWish(
      { ...place, env, agent: { pass: ['AGENT_KEY'], home: ['.config/agent'] } },
      toShellWish(
        'echo $AGENT_KEY $OTHER_KEY; cat ~/.config/agent/auth.json; echo > ~/.config/agent/auth.json',
      ),
    );
    expect(done.output).toBe('k\nsigned in');
    await expect(
      runWish({ ...place, agent: { pass: [], home: ['../x'] } }, toShellWish(':')),
    ).rejects.toThrow(/not in your home/);
  });

  it('leaves a tree with its links as links, and without the nested repositories that it made', async () => {
    const place = prepareBench({ 'a.txt': 'a\n', 'deep/b.txt': 'b', '.gitignore': 'deep/mods\n' });
    mkdirSync(join(place.repository, 'deep/mods'));
    writeFileSync(join(place.repository, 'deep/mods/x'), '');
    const done = await runWish(place, {
      ...toShellWish(
        'git init -q .; git init -q inner; mv deep moved 2>/dev/null; ln -s / deep; ln -s /etc/passwd link',
      ),
      provision: { folders: ['deep/mods'], files: [] },
    });
    expect(filesOf(place, done.tree)).toContain('link');
    expect(filesOf(place, done.tree).filter((path) => /^deep.mods|inner/.test(path))).toEqual([]);
    expect(done.output).toContain("some of its files cannot be taken: error: 'inner/'");
    expect(existsSync(join(place.repository, 'deep/mods/x'))).toBe(true);
  });

  describe('over the Agent Client Protocol', () => {
    // The stand-ins for agents are files of the project. If the project lies in a temporary folder, the
    // sandbox hides these files.
    const isHidden = /^\/(?:tmp|var\/tmp|run|dev)\//.test(import.meta.dirname);
    needAll(
      kind !== 'bwrap' || !isHidden,
      'the project lies among temporary files, which the sandbox hides',
    );

    it('works in the tree, and is asked to end when it is done', async () => {
      const place = prepareBench();
      const done = await runWish(
        place,
        toAcpWish('write b.txt b', 'remove a.txt', String.raw`say "done \u001b]0;x\u0007"`),
      );
      expect(done).toMatchObject({ exit: 0, sandbox: kind, left: 0 });
      expect(done.ended).toBeUndefined();
      expect(done.output).toBe('done ');
      expect(filesOf(place, done.tree)).toEqual(['b.txt']);
    });

    it('gets permission only to search, and to read or edit files of the tree', async () => {
      const done = await runWish(
        prepareBench(),
        toAcpWish(
          ...['ask edit CWD/a.txt', 'ask edit', 'ask edit CWD/../x', 'ask edit /etc/passwd'],
          ...['ask edit CWD/.git/config', 'ask execute', 'ask execute CWD/a.txt', 'ask fetch'],
          ...[
            'ask read CWD/a.txt',
            'ask search',
            'ask other CWD/a.txt',
            'ask edit CWD/a.txt /etc/x',
          ],
        ),
      );
      expect(done.exit).toBe(0);
      expect(
        done.output.split('\n').filter((line) => /: (?:once|no|always|cancelled)$/.test(line)),
      ).toEqual([
        ...['edit CWD/a.txt: once', 'edit : no', 'edit CWD/../x: no', 'edit /etc/passwd: no'],
        ...['edit CWD/.git/config: no', 'execute : no', 'execute CWD/a.txt: no', 'fetch : no'],
        ...[
          'read CWD/a.txt: once',
          'search : once',
          'other CWD/a.txt: no',
          'edit CWD/a.txt /etc/x: no',
        ],
      ]);
      expect(done.output).toContain('[refused: ask execute]');
    });

    const ways = [
      ['refuses', toAcpWish('stop refusal'), { exit: 1 }, 'it stopped: refusal'],
      ['goes away', toAcpWish('write b.txt b', 'leave'), { exit: null, ended: 'signal' }, ''],
      [
        'never ends',
        { ...toAcpWish('wait'), timeoutS: 2 },
        { exit: null, ended: 'time' },
        'its limit',
      ],
      ['floods', toAcpWish('flood'), { exit: null, ended: 'output' }, 'it wrote more than'],
      [
        'speaks something else',
        { runtime: 'acp', argv: ['sh', '-c', 'echo hello; cat > /dev/null'], timeoutS: 2 },
        { exit: null },
        '',
      ],
    ] as const;
    const inTurn = ways.filter(
      (_way, at) => LONG || !hasBwrap || at % 2 === Number(kind === 'none'),
    );
    it.each(inTurn)(
      'leaves a result that says how it ended if it %s',
      async (_what, wish, wanted, said) => {
        const done = await runWish(prepareBench(), wish);
        expect(done).toMatchObject(wanted);
        expect(done.output).toContain(said);
      },
    );
  });
});

test('a coding agent in bwrap cannot write outside its folders', async ({ skip }) => {
  skip(!hasBwrap, NO_BWRAP);
  const place = makeBench();
  const done = await runWish(
    place,
    toShellWish(
      `echo x > ${homedir()}/deliberate-y; echo x > ${place.folder}/y; echo x >> ${place.gitDir}/config; echo x > ${place.repository}/in-the-tree`,
    ),
  );
  expect(done.elsewhere).toEqual([]);
  expect(existsSync(join(homedir(), 'deliberate-y'))).toBe(false);
  // In its sandbox, the agent finds its own tree at the path of the person's checkout. So the file that the
  // agent wrote at this path is in the tree, and the person's checkout is unchanged.
  expect(filesOf(place, done.tree)).toEqual(['a.txt', 'in-the-tree']);
  expect(existsSync(join(place.repository, 'in-the-tree'))).toBe(false);
});

test('files that a coding agent without a sandbox changed outside of its own tree are listed in the result', async () => {
  const made = makeBench({ 'a.txt': '', 'sub/b.txt': '' });
  const place = { ...made, env: makeEnvWithoutSandbox(made.env) };
  const home = place.env.HOME ?? '';
  writeFileSync(join(home, '.profile'), '');
  const done = await runWish(
    place,
    toShellWish(
      `echo x > ${place.repository}/new; echo x > ${place.repository}/.git/hooks/pre-commit; echo x >> ${home}/.profile; echo x >> ${place.gitDir}/config; rm ${place.repository}/sub/b.txt; echo fine > c.txt`,
    ),
  );
  expect(done.elsewhere).toEqual(
    [
      `${home}/.profile`,
      `${place.gitDir}/config`,
      `${place.repository}/.git/hooks/pre-commit`,
      `${place.repository}/new`,
      `${place.repository}/sub/`,
    ].sort(),
  );
});

test('a coding agent gets no permission for a link that leads out of the tree', () => {
  const place = makeBench();
  symlinkSync('/etc', join(place.repository, 'etc'));
  const canEdit = (path: string): boolean =>
    mayDo(
      { toolCall: { toolCallId: 'x', kind: 'edit', locations: [{ path }] } },
      place.repository,
      '/seen/at',
    );
  expect(canEdit('/seen/at/a.txt')).toBe(true);
  expect(canEdit('/seen/at/new/file.txt')).toBe(true);
  expect(canEdit('/seen/at/etc/passwd')).toBe(false);
  expect(canEdit('/seen/atx/a.txt')).toBe(false);
  expect(canEdit(`${place.repository}/a.txt`)).toBe(false);
});
