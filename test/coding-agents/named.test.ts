/** How agents are named: in seats, and in a person's configuration. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentsOf, agentsSchema } from '../../src/app/settings/coding-agents.ts';
import { builtInAgents } from '../../src/coding-agents/built-in.ts';
import { modelSchema } from '../../src/io/preset-kinds.ts';
import { addAgentNames } from '../../src/kernel/providers/names.ts';
import { checkSpec, shownModel } from '../../src/kernel/providers/spec.ts';
import { getModelFamily } from '../../src/protocols/common/voting/lineage.ts';

beforeAll(() => addAgentNames(() => builtInAgents().map(({ name }) => name)));
afterAll(() => addAgentNames(() => []));

it('a seat may name an agent without a model, and the agent chooses the model', () => {
  expect(checkSpec('claude-code')).toBe('claude-code/default');
  expect(checkSpec('codex/gpt-5.6')).toBe('codex/gpt-5.6');
  expect(modelSchema.parse('opencode')).toBe('opencode/default');
  expect(modelSchema.safeParse('nobody').success).toBe(false);
  expect(() => checkSpec('claud-code/opus')).toThrow('does not name a model');
  expect(() => checkSpec('qwen3')).toThrow('"qwen3" does not name a model');
  expect(shownModel('claude-code/default')).toBe('claude-code');
  expect([getModelFamily('claude-code/default'), getModelFamily('claude-code/opus')]).toEqual([
    'claude',
    'opus',
  ]);
});

describe("Agents of a person's configuration", () => {
  it.each([
    [
      'the name of a provider',
      { openai: { command: 'x' } },
      'this is the name of a provider; use another one',
    ],
    [
      'a slash in the name',
      { 'a/b': { command: 'x' } },
      'expected a name of letters, digits, dots and dashes, without a slash',
    ],
    ['no command', { mine: {} }, 'an agent that does not come with the program needs a command'],
    [
      'a file outside the home',
      { mine: { command: 'x', home: ['../y'] } },
      'expected a path inside your home folder',
    ],
    [
      'a value of a variable',
      { mine: { command: 'x', env: ['A=b'] } },
      'expected the name of an environment variable',
    ],
  ])('are refused with one sentence if their settings have %s', (_fault, entry, sentence) => {
    const { error } = agentsSchema.safeParse(entry);
    expect(JSON.stringify(error?.issues)).toContain(sentence);
  });

  it('add to the built-in agents or change their settings', () => {
    const agents = agentsOf({
      agents: { mine: { command: '/opt/mine', args: ['acp'] }, codex: { env: ['OPENAI_API_KEY'] } },
    });
    expect(agents.map(({ name }) => name)).toEqual([
      ...builtInAgents().map(({ name }) => name),
      'mine',
    ]);
    const codex = agents.find(({ name }) => name === 'codex');
    expect(codex).toMatchObject({
      command: 'codex-acp',
      mode: 'read-only',
      env: ['OPENAI_API_KEY'],
    });
    expect(agents.at(-1)).toMatchObject({ title: 'mine', args: ['acp'], login: [] });
  });
});
