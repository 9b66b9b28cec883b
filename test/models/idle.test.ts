/**
 * Tests the idle timeout: it measures silence and not the length of a call, and checks for a reason before
 * it ends a wait.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { IdleWatch } from '../../src/models/idle.ts';
import { startAnthropic, startOllama, startOpenAI } from '../servers/index.ts';
import { callModel, getFailure, makeUserMessage, modelsFor } from './ask.ts';

describe('the idle watch, which notices requests that receive no data,', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('calls back once after the idle timeout', () => {
    const onIdle = vi.fn();
    const watch = new IdleWatch(8_000, onIdle);
    vi.advanceTimersByTime(8_000);
    expect(onIdle).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(onIdle).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60_000);
    expect(onIdle).toHaveBeenCalledTimes(1);
    watch.stop();
  });

  test('begins the timeout again if a byte arrives just before the timeout ends', () => {
    const onIdle = vi.fn();
    const watch = new IdleWatch(8_000, onIdle);
    for (let round = 0; round < 10; round++) {
      vi.advanceTimersByTime(7_999);
      watch.touch();
    }
    expect(onIdle).not.toHaveBeenCalled();
    vi.advanceTimersByTime(9_000);
    expect(onIdle).toHaveBeenCalledTimes(1);
  });

  test('never calls back after it was stopped', () => {
    const onIdle = vi.fn();
    new IdleWatch(1_000, onIdle).stop();
    vi.advanceTimersByTime(10_000);
    expect(onIdle).not.toHaveBeenCalled();
  });

  test('asks its caller whether to go on waiting, but only if no part of the answer has arrived yet', async () => {
    const onIdle = vi.fn();
    const keepAlive = vi.fn(async () => keepAlive.mock.calls.length < 3);
    const watch = new IdleWatch(8_000, onIdle, keepAlive);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(keepAlive).toHaveBeenCalledTimes(2);
    expect(onIdle).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(keepAlive).toHaveBeenCalledTimes(3);
    expect(onIdle).toHaveBeenCalledTimes(1);

    const touched = new IdleWatch(8_000, onIdle, keepAlive);
    touched.touch();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(keepAlive).toHaveBeenCalledTimes(3);
    expect(onIdle).toHaveBeenCalledTimes(2);
    watch.stop();
  });

  test('passes to its callback how many timeouts in a row have passed without a byte', async () => {
    const onIdle = vi.fn();
    let excuses = 2;
    const watch = new IdleWatch(8_000, onIdle, async () => {
      excuses -= 1;
      return excuses >= 0;
    });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(onIdle).toHaveBeenCalledExactlyOnceWith(3);
    watch.stop();
  });

  test('goes on waiting if a byte arrives before the caller has answered that the waiting should end', async () => {
    const onIdle = vi.fn();
    let answer: (keptAlive: boolean) => void = () => undefined;
    const watch = new IdleWatch(8_000, onIdle, () => new Promise((resolve) => (answer = resolve)));
    await vi.advanceTimersByTimeAsync(9_000);
    watch.touch();
    answer(false);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(onIdle).not.toHaveBeenCalled();
    watch.stop();
  });
});

/** Runs child.ts with one server. Returns the process, and what it reports at its end. */
function startChild(task: string, env: Record<string, string>) {
  const file = fileURLToPath(new URL('child.ts', import.meta.url));
  const process_ = spawn(process.execPath, [file, task], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const report = new Promise<Record<string, unknown>>((resolve, reject) => {
    let out = '';
    process_.stdout.on('data', (data: Buffer) => {
      out += data.toString();
    });
    process_.on('error', reject);
    process_.on('close', () => {
      try {
        resolve(JSON.parse(out) as Record<string, unknown>);
      } catch (error) {
        reject(new Error(`the child said: ${out}`, { cause: error }));
      }
    });
  });
  return { process: process_, report };
}

test.concurrent('a call survives a suspension of the process', async () => {
  const server = await startOllama({ tokensPerSecond: 60 });
  const { process: sleeper, report } = startChild('answer', {
    OLLAMA_HOST: server.url,
    IDLE_MS: '700',
  });
  await server.waitForChat();
  await new Promise((resolve) => setTimeout(resolve, 300));
  sleeper.kill('SIGSTOP');
  // While the program is suspended for two seconds, the server finishes its answer, and more than two idle
  // timeouts of 0.7 s pass.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  sleeper.kill('SIGCONT');
  expect(await report).toMatchObject({ status: 'done', attempts: 1 });
  await server.close();
});

test.concurrent('a slow answer times out only if no bytes arrive', async () => {
  const dripMs = 5;
  const idleMs = 300;
  const server = await startOllama({ answer: 'short' });
  server.setBehaviour('alpha', { dripMs });
  const models = modelsFor({ ollama: server }, { idleMs });
  const slow = await callModel(models, 'ollama/alpha');
  expect(slow.result.status).toBe('done');
  // The server waited 5 ms before each byte, so the whole answer took longer than three idle timeouts.
  const { written = 0 } = server.chats()[0] ?? {};
  expect(written * dripMs).toBeGreaterThan(3 * idleMs);
  server.setBehaviour('alpha', 'stall-mid-stream');
  const silent = await callModel(models, 'ollama/alpha');
  expect(getFailure(silent.result)).toMatchObject({
    code: 'timeout',
    message: 'ollama: no bytes for 0.3 s',
  });
  await server.close();
});

describe.concurrent("a person's own server that reads a prompt in silence", () => {
  const STARTS = { ollama: startOllama, openai: startOpenAI, anthropic: startAnthropic };

  test.each(Object.entries(STARTS))(
    'may take one idle timeout for every 1,200 tokens of the prompt before the call fails: %s',
    async (name, start) => {
      const behaviours = { alpha: 'stall-before-headers' } as const;
      const server = await start({ models: ['alpha'], behaviours });
      const models = modelsFor({ [name]: server }, { idleMs: 200 });
      const [short, long] = await Promise.all(
        [400, 10_000].map(async (characters) => {
          const messages = [makeUserMessage('word '.repeat(characters / 5))];
          return getFailure((await callModel(models, `${name}/alpha`, { messages })).result);
        }),
      );
      expect(short?.message).toBe(`${name}: no bytes for 0.2 s`);
      // A silent server gets 0.2 s for a prompt of up to 1,200 tokens, 0.4 s for up to 2,400, and 0.6 s for up to
      // 3,600. The long prompt has about 2,500 tokens.
      expect(long?.message).toBe(`${name}: no bytes for 0.6 s`);
      await server.close();
    },
  );
});
