/** The runner, with real processes. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Command, execute, KEPT_BYTES, withoutSecrets } from '../../src/cli/execute.ts';
import { temporaryFolder } from '../store/folder.ts';

function run(command: string, more: Partial<Command> = {}) {
  return execute({ command, cwd: tmpdir(), timeoutMs: 20_000, env: process.env, ...more });
}

/** Whether a process still does anything: one that is dead and that nobody has buried does not. */
function alive(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return state.trim() !== '' && !state.trim().startsWith('Z');
}

describe('a command', () => {
  it('that succeeds is told by exit, output and hash', async () => {
    const ended = await run('echo out; echo err >&2; pwd', { cwd: '/' });
    expect(ended).toMatchObject({ exit: 0, signal: null, timedOut: false, cutBytes: 0 });
    expect(ended.output.split('\n').sort().join()).toBe(',/,err,out');
    expect(ended.sha256).toBe(createHash('sha256').update(ended.output).digest('hex'));
    expect(ended.bytes).toBe(10);
  });

  it('that fails, is missing or is killed says so', async () => {
    expect(await run('exit 3')).toMatchObject({ exit: 3, signal: null, timedOut: false });
    expect(await run('no-such-command-here')).toMatchObject({ exit: 127 });
    expect(await run('kill -SEGV $$')).toMatchObject({ exit: null, signal: 'SIGSEGV' });
  });

  it('cannot read anything: it has no input', async () => {
    expect(await run('cat')).toMatchObject({ exit: 0, output: '' });
  });
});

describe('the time-out', () => {
  it('ends the whole group, also a grandchild that ignores SIGTERM', async () => {
    const folder = temporaryFolder();
    const stubborn = `trap "" TERM; echo $$ > ${join(folder, 'pid')}; while :; do sleep 0.1; done`;
    const ended = await run(`sh -c '${stubborn}' & echo begun; wait`, { timeoutMs: 500 });
    expect(ended).toMatchObject({ timedOut: true, output: 'begun\n' });
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => alive(pid)).toBe(false);
    expect(ended.durationMs).toBeLessThan(15_000);
  });

  it('is not waited out where only something left behind holds the output', async () => {
    const folder = temporaryFolder();
    const ended = await run(`sleep 60 & echo $! > ${join(folder, 'pid')}; echo over`);
    expect(ended).toMatchObject({ exit: 0, timedOut: false, output: 'over\n' });
    expect(ended.durationMs).toBeLessThan(15_000);
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => alive(pid)).toBe(false);
  });

  it('a stop by the person kills it too, and nothing is told', async () => {
    const stop = new AbortController();
    const folder = temporaryFolder();
    const running = run(`echo $$ > ${join(folder, 'pid')}; exec sleep 60`, { signal: stop.signal });
    await expect.poll(() => existsSync(join(folder, 'pid'))).toBe(true);
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => alive(pid)).toBe(false);
  });
});

describe('the output', () => {
  it('is kept at both ends where there is much of it, and hashed whole', async () => {
    const size = 3 * 1024 * 1024;
    const ended = await run(`printf HEAD; head -c ${size} /dev/zero | tr '\\0' x; printf TAIL`);
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

  it('may be no text at all', async () => {
    const ended = await run(`printf '\\377\\000\\001\\376'`);
    expect(ended.bytes).toBe(4);
    expect(ended.output).toBe('\ufffd\0\u0001\ufffd');
    const bytes = Buffer.from([0xff, 0, 1, 0xfe]);
    expect(ended.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  });
});

describe('the environment', () => {
  const env = {
    PATH: process.env.PATH,
    ANTHROPIC_API_KEY: 'secret-1',
    OPENAI_API_KEY: 'secret-2',
    GITHUB_TOKEN: 'secret-3',
    MY_SECRET: 'secret-4',
    AWS_SECRET_ACCESS_KEY: 'secret-5',
    TOKENIZER: 'kept-1',
    KEYBOARD: 'kept-2',
  };

  it('has no keys, tokens or secrets, and everything else', async () => {
    const { output } = await run('env', { env });
    expect(output).not.toContain('secret-');
    expect(output).toContain('TOKENIZER=kept-1');
    expect(output).toContain('KEYBOARD=kept-2');
    expect(Object.keys(withoutSecrets(env))).toEqual(['PATH', 'TOKENIZER', 'KEYBOARD']);
  });
});
