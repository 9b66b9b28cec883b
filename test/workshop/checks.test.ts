/**
 * Tests how checks run: each on a tree of its own, apart from everything else, and without leaving anything.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import type { CheckRun, Provision } from '../../src/kernel/tools/workshop.ts';
import { runCheck } from '../../src/workshop/running/checks.ts';
import { openCommands } from '../../src/workshop/running/commands.ts';
import { NO_BWRAP, needAll } from '../setup/needs.ts';
import { hasBwrap, makeBench, makeEnvWithoutSandbox, type RunFoldersWithCopy } from './bench.ts';
import { checkOf, NEVER_ABORTED, NO_PROVISION } from './wishes.ts';

type Given = Partial<Provision> & { readonly timeoutS?: number; readonly signal?: AbortSignal };

function runArgv(
  bench: RunFoldersWithCopy,
  argv: readonly string[],
  given: Given = {},
): Promise<CheckRun> {
  const { timeoutS, signal = NEVER_ABORTED, ...provision } = given;
  return runCheck(
    bench,
    {
      tree: bench.base,
      check: checkOf(argv, timeoutS),
      provision: { ...NO_PROVISION, ...provision },
    },
    signal,
  );
}

const toShellArgv = (script: string): string[] => ['sh', '-c', script];
const toNodeArgv = (script: string): string[] => [process.execPath, '-e', script];

/** Returns the ids of processes, except zombies, whose command line contains the word. */
function withWord(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        if (/^\S+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) return false;
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(word);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The sandbox of this machine, and no sandbox. */
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

describe.each(SANDBOXES)('checks with the sandbox %s', (kind, isThere, prepared) => {
  needAll(isThere, NO_BWRAP);
  const prepareBench = (files?: Record<string, string>): RunFoldersWithCopy =>
    prepared(makeBench(files));

  it('a check sees the committed files', async () => {
    const place = prepareBench({ 'a.txt': 'committed\n', 'deep/er/ü b.txt': 'x' });
    writeFileSync(join(place.repository, 'a.txt'), 'changed since');
    writeFileSync(join(place.repository, 'untracked.txt'), '');
    const ran = await runArgv(place, toShellArgv('cat a.txt; ls; ls deep/er'));
    expect(ran).toMatchObject({ exit: 0, sandbox: kind });
    expect(ran.output).toBe('committed\na.txt\ndeep\nü b.txt\n');
    expect(ran.counts).toBeUndefined();
    expect(readdirSync(join(place.folder, 'work'))).toEqual([]);
  });

  it('a check whose variables set PWD to a folder is run in this folder', async () => {
    const place = prepareBench({ 'api/a.txt': 'in api\n', 'api/run': '#!/bin/sh\ncat a.txt\n' });
    const inFolder = (value: string, argv: readonly string[]): Promise<CheckRun> => {
      const check = { ...checkOf(argv), env: [{ name: 'PWD', value }] };
      const wish = { tree: place.base, check, provision: NO_PROVISION };
      return runCheck(place, wish, NEVER_ABORTED);
    };
    expect(await inFolder('api', toShellArgv('cat a.txt; ls'))).toMatchObject({
      exit: 0,
      output: 'in api\na.txt\nrun\n',
    });
    for (const folder of ['web', 'api/a.txt', '../..'])
      expect(await inFolder(folder, toShellArgv('ls'))).toMatchObject({
        exit: null,
        ended: 'not-started',
        output: `[${folder}: no such folder]\n`,
      });
  });

  it('standard output and standard error are kept in order', async () => {
    const place = prepareBench();
    const ran = await runArgv(
      place,
      toNodeArgv(`
        const { writeSync } = require('node:fs');
        for (let n = 0; n < 8000; n += 1) writeSync(1 + (n % 2), 'line ' + n + '\\n');
        writeSync(2, '\\u001b]52;c;eA==\\u0007\\u001b[31mred\\u001b[0m\\n');
        process.exitCode = 3;
      `),
    );
    expect(ran.exit).toBe(3);
    expect(ran.output).toMatch(/^\[\d+ characters left out\]\nline \d+\n/);
    expect(ran.output).toMatch(/line 7998\nline 7999\nred\n$/);
    expect(ran.output.length).toBeLessThan(25_000);
    expect(ran.bytes).toBeGreaterThan(70_000);
  });

  it('a check is killed at its time limit, with all its processes', async () => {
    const place = prepareBench();
    const word = `w${Math.random().toString(36).slice(2)}`;
    // The processes sleep for longer than a test may last, so only the time limit can end them.
    const ran = await runArgv(
      place,
      toShellArgv(
        `setsid sh -c 'trap "" TERM; sleep 300 & wait; sleep 300' ${word} & sh -c 'trap "" TERM; sleep 301; sleep 300' ${word} & echo begun; wait`,
      ),
      { timeoutS: 2 },
    );
    expect(ran).toMatchObject({ exit: null, ended: 'time' });
    // A shell that is killed before it has set its trap prints "Terminated".
    expect(ran.output).toMatch(/^begun\n(?:Terminated\n)*\[ended after 2 s, its limit\]\n$/);
    expect(withWord(word)).toEqual([]);
  });

  it('a check that handles SIGTERM may still write output', async () => {
    const ran = await runArgv(
      prepareBench(),
      toNodeArgv(`process.on('SIGTERM', () => { console.log('heard'); process.exit(0); });
          setInterval(() => {}, 1000);`),
      { timeoutS: 1 },
    );
    expect(ran).toMatchObject({ exit: null, ended: 'time' });
    expect(ran.output).toContain('heard\n');
  });

  it('a check that writes without end is killed', async () => {
    const ran = await runArgv(
      prepareBench(),
      toShellArgv(`while :; do echo ${'0123456789'.repeat(20)}; done | cat`),
    );
    expect(ran).toMatchObject({ exit: null, ended: 'output' });
    expect(ran.bytes).toBeLessThan(40 * 1024 * 1024);
  });

  it('a check that starts processes without end is killed', async () => {
    const word = `w${Math.random().toString(36).slice(2)}`;
    const ran = await runArgv(
      prepareBench(),
      toShellArgv(
        `i=0; while [ $i -lt 700 ]; do sh -c 'sleep 100; :' ${word} & i=$((i+1)); done; wait`,
      ),
    );
    expect(ran).toMatchObject({ exit: null, ended: 'signal' });
    expect(ran.output).toMatch(/it had \d+ processes; 512 are allowed/);
    expect(withWord(word)).toEqual([]);
  });

  it('a background process that a check leaves is killed', async () => {
    const word = `w${Math.random().toString(36).slice(2)}`;
    const ran = await runArgv(
      prepareBench(),
      toShellArgv(`setsid sh -c 'sleep 300; :' ${word} > /dev/null 2>&1 & sleep 0.3; exit 0`),
    );
    expect(ran.exit).toBe(0);
    expect(withWord(word)).toEqual([]);
  });

  it('a check gets no key, no home folder and no temporary folder of the person', async () => {
    const place = prepareBench();
    const ran = await runCheck(
      {
        ...place,
        env: { ...place.env, ANTHROPIC_API_KEY: 'sk-ant-1', MY_PASS: 'p', SSH_AUTH_SOCK: '/x' },
      },
      {
        tree: place.base,
        check: {
          ...checkOf(toShellArgv('env; echo x > $HOME/x; echo y > $TMPDIR/y')),
          env: [{ name: 'A', value: 'b' }],
        },
        provision: NO_PROVISION,
      },
      NEVER_ABORTED,
    );
    expect(ran.exit).toBe(0);
    expect(ran.output).not.toMatch(/ANTHROPIC|sk-ant|MY_PASS|SSH_AUTH/);
    expect(ran.output).toMatch(/^A=b$/m);
    expect(ran.output).toMatch(/^HOME=.*\/work\/.*\/home$/m);
    expect(ran.output).not.toContain(`HOME=${place.env.HOME}\n`);
    // In bwrap, /tmp is a folder of the sandbox.
    expect(ran.output).toMatch(kind === 'bwrap' ? /^TMPDIR=\/tmp$/m : /^TMPDIR=.*\/work\/.*$/m);
  });

  it('a check whose program is missing is recorded as not started', async () => {
    const ran = await runArgv(prepareBench(), ['no-such-program']);
    expect(ran).toMatchObject({ exit: null, ended: 'not-started' });
    expect(ran.output).toContain('no-such-program: not found');
    const script = await runArgv(prepareBench({ 'run.sh': '#!/bin/sh\necho ran\n' }), ['./run.sh']);
    expect(script).toMatchObject({ exit: 0, output: 'ran\n' });
  });

  it('a check that is stopped before it begins is never started', async () => {
    const ran = await runArgv(prepareBench(), toShellArgv('echo ran'), {
      signal: AbortSignal.abort(),
    });
    expect(ran).toMatchObject({ exit: null, ended: 'stopped', output: '[stopped]\n' });
  });

  it('a running check is stopped together with its run', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    const ran = await runArgv(prepareBench(), toShellArgv('sleep 100'), { signal: stop.signal });
    expect(ran).toMatchObject({ exit: null, ended: 'stopped' });
  });

  it('a check can run with older versions of given files', async () => {
    const place = prepareBench({
      'test/a.test.js': 'old',
      'test/b.test.js': 'old',
      'src/x.js': 'old',
    });
    const tree = place.treeWith({
      'test/a.test.js': 'new',
      'test/c.test.js': 'new',
      'src/x.js': 'new',
    });
    const runOverPaths = (paths: string[]): Promise<CheckRun> =>
      runCheck(
        place,
        {
          tree,
          check: checkOf(toShellArgv('for f in test/*.js src/*.js; do echo $f $(cat $f); done')),
          over: { from: place.base, paths },
          provision: NO_PROVISION,
        },
        NEVER_ABORTED,
      );
    expect((await runOverPaths(['test/**'])).output).toBe(
      'test/a.test.js old\ntest/b.test.js old\nsrc/x.js new\n',
    );
    expect((await runOverPaths(['test/a.test.js', 'nothing/*'])).output).toBe(
      'test/a.test.js old\ntest/b.test.js old\ntest/c.test.js new\nsrc/x.js new\n',
    );
  });

  it('a check gets ignored folders such as node_modules as a copy, and cannot change them for the next check', async () => {
    const place = prepareBench({
      '.gitignore': 'node_modules\n.env.test\n',
      'a.js': "require('dep')",
    });
    const dep = join(place.repository, 'node_modules/dep');
    mkdirSync(dep, { recursive: true });
    writeFileSync(join(dep, 'index.js'), "console.log('dep is here')");
    writeFileSync(join(place.repository, '.env.test'), 'A=1\n');
    const given = { folders: ['node_modules'], files: ['.env.test'] };
    const first = await runArgv(place, [process.execPath, 'a.js'], given);
    expect(first.output).toBe('dep is here\n');
    await runArgv(
      place,
      toShellArgv(
        'echo broken > node_modules/dep/index.js; mkdir -p node_modules/.vite/x; echo > .env.test',
      ),
      given,
    );
    const second = await runArgv(
      place,
      toShellArgv(`"${process.execPath}" a.js; cat .env.test`),
      given,
    );
    expect(second.output).toBe('dep is here\nA=1\n');
  });

  it('a set-up runs only once, and every check gets the result', async () => {
    const place = prepareBench({ '.gitignore': 'built\n', 'a.txt': 'a' });
    const setUp = checkOf(
      toShellArgv('mkdir -p built deep/made; cat a.txt > built/b; echo c > deep/made/c'),
    );
    const provision = { ...NO_PROVISION, setUp };
    const commands = openCommands(place);
    await commands.provide(place.base, provision, NEVER_ABORTED);
    await commands.provide(
      place.base,
      { ...NO_PROVISION, setUp: checkOf(['false']) },
      NEVER_ABORTED,
    );
    const ran = await runArgv(place, toShellArgv('cat built/b deep/made/c'), { setUp });
    expect(ran.output).toBe('ac\n');
  });

  it('a set-up that fails is reported with the reason', async () => {
    const place = prepareBench();
    const setUp = checkOf(toShellArgv('echo no such package; exit 4'));
    await expect(
      openCommands(place).provide(place.base, { ...NO_PROVISION, setUp }, NEVER_ABORTED),
    ).rejects.toThrow(/the set-up command failed: it ended with 4\nno such package/);
  });

  it('a folder to copy for checks is rejected if it is outside the repository or does not exist', async () => {
    const place = prepareBench();
    await expect(runArgv(place, ['true'], { files: ['../x'] })).rejects.toThrow(
      /below the repository/,
    );
    await expect(runArgv(place, ['true'], { folders: ['node_modules'] })).rejects.toThrow(
      /not in the/,
    );
  });
});

describe('checks in bwrap', () => {
  needAll(hasBwrap, NO_BWRAP);

  test('a check cannot write outside its folders, even as root', async () => {
    const place = makeBench();
    const outside = join(place.folder, 'outside.txt');
    // The sandbox hides temporary folders, such as the one with `outside`. So the check also tries to write
    // into the root folder and the home folder, which are usually not hidden.
    const [atRoot, atHome] = ['/', homedir()].map((folder) =>
      join(folder, `deliberate-${process.pid}`),
    ) as [string, string];
    const ran = await runArgv(
      place,
      toShellArgv(`echo x > ${outside}; echo x > ${atRoot}; echo x > ${atHome}; echo x > ${place.gitDir}/config;
          mount -o remount,rw / ; echo x > ${outside}; echo x > ../x; echo x > /tmp/ours; echo x > here; ls`),
    );
    expect(ran.output).toMatch(new RegExp(`${atRoot}: Read-only file system$`, 'm'));
    expect(ran.output).toMatch(/a\.txt\nhere\n$/);
    expect(existsSync(outside)).toBe(false);
    expect([atRoot, atHome].filter((file) => existsSync(file))).toEqual([]);
    expect(existsSync('/tmp/ours')).toBe(false);
    expect(readFileSync(join(place.gitDir, 'config'), 'utf8')).toContain('bare');
  });

  // The sandbox hides temporary folders as a whole, so a project that lies in a temporary folder is hidden,
  // too.
  const isHidden = /^\/(?:tmp|var\/tmp|run|dev)\//.test(import.meta.dirname);
  test.skipIf(isHidden)('a check sees neither the person’s checkout nor keys', async () => {
    const cache = join(import.meta.dirname, '../../node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    // The check finds its own tree at the path of the person's repository. The path has to avoid `node_modules` if
    // that is a link, because the sandbox does not show this link.
    const place = makeBench({ 'a.txt': 'a\n' }, realpathSync(cache));
    writeFileSync(join(place.repository, '.env'), 'KEY=1');
    const home = place.env.HOME ?? '';
    mkdirSync(join(home, '.ssh'));
    writeFileSync(join(home, '.ssh/id_rsa'), 'secret');
    writeFileSync(join(home, '.netrc'), 'secret');
    writeFileSync(join(home, 'notes.txt'), 'notes');
    // Some people keep their settings in a repository and make ~/.config a link to a folder in it.
    mkdirSync(join(home, 'dots/config/gh'), { recursive: true });
    writeFileSync(join(home, 'dots/config/gh/hosts.yml'), 'secret');
    symlinkSync('dots/config', join(home, '.config'));
    symlinkSync('nowhere', join(home, '.npmrc'));
    const ran = await runArgv(
      place,
      toShellArgv(
        `pwd; ls -A ${place.repository}; ls -A ${home}/.ssh ${home}/.config/gh; cat ${home}/.netrc ${home}/notes.txt`,
      ),
    );
    expect(ran.output).toMatch(
      new RegExp(
        `^${place.repository}\\na\\.txt\\n.*/gh:\\n\\n.*/\\.ssh:\\n(?:cat: .*netrc: Permission denied\\n)?notes$`,
      ),
    );
  });

  test('a check reaches its own server on 127.0.0.1, but no server outside the sandbox', async () => {
    const server = createServer((_request, response) => response.end('outside'));
    await once(server.listen(0, '0.0.0.0'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const others = Object.values(networkInterfaces())
      .flat()
      .map((network) => network?.address);
    const hosts = others.filter((address) => address?.includes('.'));
    const ran = await runArgv(
      makeBench(),
      toNodeArgv(`
        const net = require('node:net'), { readdirSync } = require('node:fs');
        const server = net.createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1', async () => {
          const ask = (port, host) => new Promise((resolve) =>
            net.connect(port, host, function () { this.once('data', (d) => resolve(String(d))); this.write('GET / HTTP/1.0\\n\\n'); })
              .on('error', (error) => resolve(error.code)));
          console.log(await ask(server.address().port, '127.0.0.1'));
          for (const host of ${JSON.stringify(hosts)}) console.log(await ask(${port}, host));
          console.log(readdirSync('/run').length, readdirSync('/tmp').length);
          server.close();
        });
      `),
    );
    expect(ran.exit).toBe(0);
    const [own, ...rest] = ran.output.trim().split('\n');
    expect(own).toBe('hello');
    expect(rest.slice(0, -1)).toHaveLength(hosts.length);
    for (const line of rest.slice(0, -1)) expect(line).toMatch(/^E(?:CONNREFUSED|NETUNREACH)$/);
  });

  test('a background process with an empty environment and its own session is killed with its check', async () => {
    const word = `w${Math.random().toString(36).slice(2)}`;
    await runArgv(
      makeBench(),
      toShellArgv(`env -i setsid sh -c 'sleep 300; :' ${word} > /dev/null 2>&1 & exit 0`),
    );
    expect(withWord(word)).toEqual([]);
  });
});

test('a check without a sandbox can write outside its folders', async () => {
  const made = makeBench();
  const place = { ...made, env: makeEnvWithoutSandbox(made.env) };
  const outside = join(place.folder, 'outside.txt');
  const ran = await runArgv(place, toShellArgv(`echo x > ${outside}`));
  expect(ran).toMatchObject({ exit: 0, sandbox: 'none' });
  expect(existsSync(outside)).toBe(true);
});

describe.each(SANDBOXES)(
  'after kill -9 of this program, with the sandbox %s',
  (_kind, isThere, prepared) => {
    needAll(isThere, NO_BWRAP);

    it('no process of a check continues', async () => {
      const place = prepared(makeBench());
      const word = `w${Math.random().toString(36).slice(2)}`;
      const script = `setsid sh -c 'trap "" TERM; sleep 300; sleep 300; :' ${word} & sh -c 'trap "" TERM; sleep 300; sleep 300; :' ${word} & sleep 300; :`;
      const { inCopy: _ask, treeWith: _tree, ...plain } = place;
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, 'killed.ts'), JSON.stringify(plain), script],
        { stdio: 'inherit' },
      );
      await expect.poll(() => withWord(word).length).toBeGreaterThan(3);
      await sleep(200);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await expect.poll(() => withWord(word)).toEqual([]);
      expect(readdirSync(join(place.folder, 'work'))).toHaveLength(1);
      await openCommands(place).clear();
      expect(existsSync(join(place.folder, 'work'))).toBe(false);
    });
  },
);

test.runIf(process.platform === 'linux')(
  'a process of a run that was left running is found later by an environment variable and killed',
  async () => {
    const place = makeBench();
    const child = spawn('sleep', ['300'], {
      env: { DELIBERATE_WORK: `${place.run}-1` },
      detached: true,
      stdio: 'ignore',
    });
    const other = spawn('sleep', ['300'], {
      env: { DELIBERATE_WORK: `${place.run}x-1` },
      stdio: 'ignore',
    });
    onTestFinished(() => void other.kill('SIGKILL'));
    const gone = once(child, 'exit');
    await sleep(100);
    await openCommands(place).clear();
    expect(await gone).toEqual([null, 'SIGKILL']);
    expect(other.exitCode ?? other.signalCode).toBeNull();
  },
);
