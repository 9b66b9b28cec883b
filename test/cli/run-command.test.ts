/** The runner, with real processes. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Command, KEPT_BYTES, runCommand } from '../../src/app/run-command.ts';
import { Secrets } from '../../src/io/secrets.ts';
import { temporaryFolder } from '../store/folder.ts';

function runHere(command: string, more: Partial<Command> = {}) {
  return runCommand({ command, cwd: tmpdir(), timeoutMs: 20_000, env: process.env, ...more });
}

/** Returns whether a process is running. A zombie process is not. */
function isAlive(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return state.trim() !== '' && !state.trim().startsWith('Z');
}

describe('running a command', () => {
  it('returns exit code, output and hash of a command that succeeds', async () => {
    const ended = await runHere('echo out; echo err >&2; pwd', { cwd: '/' });
    expect(ended).toMatchObject({ exit: 0, signal: null, timedOut: false, cutBytes: 0 });
    expect(ended.output.split('\n').sort().join()).toBe(',/,err,out');
    expect(ended.sha256).toBe(createHash('sha256').update(ended.output).digest('hex'));
    expect(ended.bytes).toBe(10);
  });

  it('reports a command that fails, is missing or is killed', async () => {
    expect(await runHere('exit 3')).toMatchObject({ exit: 3, signal: null, timedOut: false });
    expect(await runHere('no-such-command-here')).toMatchObject({ exit: 127 });
    expect(await runHere('kill -SEGV $$')).toMatchObject({ exit: null, signal: 'SIGSEGV' });
  });

  it('gives the command an empty standard input', async () => {
    expect(await runHere('cat')).toMatchObject({ exit: 0, output: '' });
  });
});

describe('the timeout of a command', () => {
  it('kills the whole process group, including a grandchild that ignores SIGTERM', async () => {
    const folder = temporaryFolder();
    const stubborn = `trap "" TERM; echo $$ > ${join(folder, 'pid')}; while :; do sleep 0.1; done`;
    const ended = await runHere(`sh -c '${stubborn}' & echo begun; wait`, { timeoutMs: 500 });
    expect(ended).toMatchObject({ timedOut: true, output: 'begun\n' });
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('is not waited for if only a background process still keeps the output open', async () => {
    const folder = temporaryFolder();
    // The background process sleeps for ten minutes: if `runHere` waited for it, the test would time out.
    const ended = await runHere(`sleep 600 & echo $! > ${join(folder, 'pid')}; echo over`);
    expect(ended).toMatchObject({ exit: 0, timedOut: false, output: 'over\n' });
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('is not waited for if a person stops the command, which is then killed at once', async () => {
    const stop = new AbortController();
    const folder = temporaryFolder();
    const running = runHere(`echo $$ > ${join(folder, 'pid')}; exec sleep 60`, {
      signal: stop.signal,
    });
    await expect.poll(() => existsSync(join(folder, 'pid'))).toBe(true);
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe('the output of a command', () => {
  it('is cut in the middle if it is long', async () => {
    const size = 3 * 1024 * 1024;
    const ended = await runHere(`printf HEAD; head -c ${size} /dev/zero | tr '\\0' x; printf TAIL`);
    expect(ended.bytes).toBe(size + 8);
    expect(ended.cutBytes).toBe(size + 8 - KEPT_BYTES);
    expect(ended.output.startsWith('HEADxxx')).toBe(true);
    expect(ended.output.endsWith('xxxTAIL')).toBe(true);
    expect(ended.output).toContain(`[${ended.cutBytes} bytes left out]`);
    expect(ended.output.length).toBeLessThan(KEPT_BYTES + 100);
    const whole = createHash('sha256')
      .update(`HEAD${'x'.repeat(size)}TAIL`)
      .digest('hex');
    expect(ended.sha256).toBe(whole);
  });

  it('may be binary data', async () => {
    const ended = await runHere(`printf '\\377\\000\\001\\376'`);
    expect(ended.bytes).toBe(4);
    expect(ended.output).toBe('\ufffd\0\u0001\ufffd');
    const bytes = Buffer.from([0xff, 0, 1, 0xfe]);
    expect(ended.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  });
});

/** Variables as people have them, each with a value that contains `canary`. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: 'canary-anthropic-1',
  OLLAMA_HOST: 'http://me:canary-ollama-2@gpu.example:11434',
  OPENAI_BASE_URL: 'https://canary-base-3@proxy.example/v1',
  http_proxy: 'http://me:canary%2Dproxy4@proxy.example:3128',
  DATABASE_URL: 'postgres://app:canary/slash@5@db.example/app',
  MSSQL: 'Server=db;User Id=sa;Pwd=canary-mssql-6;',
  PGPASSWORD: 'canary-pg-7',
  MYSQL_PWD: 'canary-mysql-8',
  GITHUB_PAT: 'canary-pat-9',
  OPENAI_KEY: 'canary-key-10',
  SLACK_WEBHOOK: 'https://hooks.example/canary-11',
  PASSPHRASE: 'canary of twelve words',
  npm_config__authToken: 'canary-npm-13',
  LC_PASSWORD: 'canary-lc-14',
  SHORT_PASSWORD: 'cnry',
  UNNAMED: 'canary15canary16canary17',
};

describe('running a command with secrets in the environment', () => {
  const env = { PATH: process.env.PATH, LANG: 'C', TERM: 'xterm', ...CREDENTIALS, PLAIN: 'plain' };

  it('passes to the command nothing but a few standard variables and those that the caller names', async () => {
    const listVariables = async (pass: string[]): Promise<string[]> =>
      (await runHere('env', { env, pass })).output
        .split('\n')
        .map((row) => row.split('=')[0] ?? '')
        // Leave out the variables that the shell sets itself.
        .filter((name) => name !== '' && name !== 'PWD' && name !== '_' && name !== 'SHLVL');
    expect((await listVariables([])).sort()).toEqual(['LANG', 'PATH', 'TERM']);
    expect((await listVariables(['PLAIN'])).sort()).toEqual(['LANG', 'PATH', 'PLAIN', 'TERM']);
  });

  it('hides the secrets in the output, whether printed plainly or as URL, JSON or Base64', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'found');
    writeFileSync(
      file,
      Object.entries(CREDENTIALS)
        .flatMap(([name, value]) => [
          `${name}=${value}`,
          JSON.stringify({ [name]: value }),
          encodeURIComponent(value),
          Buffer.from(value).toString('base64'),
          Buffer.from(`x${value}`).toString('base64'),
        ])
        .join('\n'),
    );
    const pass = Object.keys(CREDENTIALS);
    for (const command of [`cat ${file}`, 'env', `tr '\\n' '\\0' < ${file}`]) {
      const { output, concealed } = await runHere(command, { env, pass });
      expect(output).toContain('[key]');
      expect(output).not.toMatch(/canary|cnry|Y2FuYXJ5|NhbmFye|jYW5hcn/);
      expect(concealed).toBeGreaterThan(10);
    }
  });

  it('leaves output without secrets unchanged', async () => {
    const said =
      'root rootless PLAIN=plain PASS: 12 # pass 3 https://a.example:80/@scope a@b.example';
    const { output, concealed } = await runHere(`echo '${said}'`, { env });
    expect([output, concealed]).toEqual([`${said}\n`, 0]);
  });

  it('leaves no part of a secret where a long output is cut', async () => {
    const value = CREDENTIALS.ANTHROPIC_API_KEY ?? '';
    const half = KEPT_BYTES / 2;
    const gap = 'y'.repeat(500_000);
    for (let shift = 0; shift <= value.length; shift += 3) {
      const head = 'x'.repeat(half - shift) + value;
      const tail = value + 'z'.repeat(half - value.length + shift);
      const file = join(temporaryFolder(), 'long');
      writeFileSync(file, head + gap + tail);
      const ended = await runHere(`cat ${file}`, { env });
      expect(ended.output.replaceAll(/([xyz])\1+/g, '$1')).not.toMatch(/can|nar|ary|key-?\d|pic/);
      expect(ended.bytes).toBe(head.length + gap.length + tail.length);
      const kept = ended.output.replace(/\n\[\d+ bytes left out\]\n/, '');
      expect(kept.replaceAll('[key]', '').length + ended.cutBytes).toBe(
        ended.bytes - ended.concealed * value.length,
      );
    }
  });
});

describe('keys and passwords in a command’s output', () => {
  it.each([
    'sk-ant-api03-abcdef123456',
    'ghp_abcdefghijklmnopqrstuvwxyz012345',
    'github_pat_11ABCDEFG0abcdefghijkl',
    'glpat-abcdefghij1234567890',
    'xoxb-1234567890-abcdefghij',
    'AKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N',
    'hf_abcdefghijklmnopqrstuvwx',
  ])('are recognized by their format: %s', (key) => {
    for (const text of [key, `token ${key}.`, `"${key}"`, `x=${key}&y`])
      expect(new Secrets({}).conceal(text)).not.toContain(key.slice(8, 24));
  });

  it.each([
    ['DB_PASSWORD="two words" X=1', 'DB_PASSWORD=[key] X=1'],
    ['https://hooks.slack.com/services/T0/B0/abc', 'https://hooks.slack.com/[key]'],
    ['postgres://u:p%40w@h/db', 'postgres://[key]@h/db'],
    ['Authorization: Bearer abcdef.123', 'Authorization: Bearer [key]'],
    ['{"password": "hunter22"}', '{"password": "[key]"}'],
    [
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
      '-----BEGIN RSA PRIVATE KEY-----[key]-----END RSA PRIVATE KEY-----',
    ],
  ])('are recognized by the text beside them: %s', (text, clean) => {
    expect(new Secrets({}).conceal(text)).toBe(clean);
  });
});
