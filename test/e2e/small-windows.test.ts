/**
 * Tests protocols whose prompts cannot fit a server's window: they are refused before any model is asked.
 */
import { expect, it } from 'vitest';
import { Agent } from '../mcp/agent.ts';
import { startOpenAI } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { closeAfterTest, makeDatabasePath } from './scene.ts';

/**
 * Starts a server that reports its window as llama.cpp does. Returns the environment variables to reach it.
 */
async function serveWindow(tokens: number) {
  const described = { meta: { n_ctx: tokens, n_ctx_train: 8_192, n_vocab: 49_152 } };
  const server = closeAfterTest(await startOpenAI({ models: ['tiny'], described }));
  const env = {
    OPENAI_BASE_URL: `${server.url}/v1`,
    OLLAMA_HOST: 'http://127.0.0.1:9',
    DELIBERATE_DB: makeDatabasePath(),
  };
  return { server, env };
}

const QUESTION = 'Should we split it?';

it.each([
  ['rounds', ['rounds', '--rounds', '1', QUESTION], 'a deliberation in rounds'],
  ['plan', ['plan', QUESTION], 'a plan'],
  [
    'eval',
    ['eval', 'puzzles', '--arms', 'single,rounds', '--size', '1', '--model', 'openai/tiny'],
    'the arm rounds',
  ],
])(
  '%s is refused for a model with a window of 2,048 tokens, and the error says what is needed',
  async (_name, command, what) => {
    const { server, env } = await serveWindow(2_048);
    const { code, err } = await runDeliberate([...command, '--plain', '--yes'], { env });
    expect(code, err).toBe(2);
    expect(err).toMatch(
      new RegExp(
        `${what} needs a context of at least \\d,\\d{3} tokens for .*openai/tiny has 2,048`,
      ),
    );
    expect(server.chats()).toEqual([]);
  },
);

it('rounds that a coding agent starts are refused for a model with too small a window', async () => {
  const { server, env } = await serveWindow(2_048);
  const agent = await Agent.start({ env, flags: [], db: env.DELIBERATE_DB });
  const { isError, text } = await agent.call('convene', {
    question: QUESTION,
    kind: 'rounds',
    seats: ['action', 'guardian', 'observer', 'critic'].map((role) => `${role}=openai/tiny`),
  });
  expect(isError, text).toBe(true);
  expect(text).toMatch(/needs a context of at least \d,\d{3} tokens for .*openai\/tiny has 2,048/);
  expect(server.chats()).toEqual([]);
});

it.each([
  ['debate', ['debate', '--method', 'standard', QUESTION], 2_048],
  ['rounds', ['rounds', '--rounds', '3', QUESTION], 4_096],
])(
  '%s warns that its longest prompts may not fit the window of the model',
  async (_name, command, window) => {
    const { env } = await serveWindow(window);
    const { err } = await runDeliberate([...command, '--plain', '--yes', '--queue'], { env });
    expect(err).toMatch(
      /openai\/tiny has a context of \d,\d{3} tokens; .* may need \d,\d{3}\. A prompt that does not fit is not sent/,
    );
    const { err: quiet } = await runDeliberate(
      [...command, '--plain', '--yes', '--queue', '--quiet'],
      {
        env,
      },
    );
    expect(quiet).not.toContain('has a context of');
  },
);

it('a debate gets no warning if its prompts fit a window of 8,192 tokens', async () => {
  const { env } = await serveWindow(8_192);
  const command = ['debate', '--method', 'standard', '--plain', '--yes', '--queue', QUESTION];
  const { err } = await runDeliberate(command, { env });
  expect(err).not.toContain('has a context of');
});
