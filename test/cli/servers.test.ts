/** Servers as a person's configuration names them: what is taken, what is refused, and what a name then means. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readFlags } from '../../src/app/flags.ts';
import type { Invocation } from '../../src/app/invocation.ts';
import { readConfigFile, settingsWithSources } from '../../src/app/settings/config.ts';
import { serversOf, serversSchema } from '../../src/app/settings/servers.ts';
import { BUILT_IN } from '../../src/io/files.ts';
import { BadFile, readYaml } from '../../src/io/yaml-file.ts';
import { UsageError } from '../../src/kernel/errors.ts';
import type { NamedServer } from '../../src/kernel/providers/servers.ts';
import { checkSpec } from '../../src/kernel/providers/spec.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';

/** Returns a call of the program by a person with this configuration. */
function makeCall(text: string): Invocation {
  const home = mkdtempSync(join(tmpdir(), 'deliberate-servers-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, '.config', 'deliberate'), { recursive: true });
  writeFileSync(join(home, '.config', 'deliberate', 'config.yaml'), text);
  return {
    flags: readFlags({}),
    protocols: PROTOCOLS,
    env: { HOME: home },
  } as Partial<Invocation> as Invocation;
}

function serversIn(text: string): readonly NamedServer[] {
  return serversOf(settingsWithSources(makeCall(text)).config).filter(({ isOwn }) => isOwn);
}

/** Returns the problems of a configuration, without the file's name. */
function problemsOf(text: string): string[] {
  try {
    settingsWithSources(makeCall(text));
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    return error.problems.map((problem) => problem.replace(/^.*config\.yaml:/, ''));
  }
  return [];
}

describe('the setting servers', () => {
  it('accepts servers that are described in one line or in several', () => {
    const text = `servers:
  lab: { speaks: openai, url: http://gpu-box:8000/v1 }
  work: { speaks: anthropic, url: https://gateway.example.com/anthropic, key_env: WORK_KEY }
  vault:
    speaks: openai-responses
    url: https://llm.example.com/v1/
    key_command: [op, read, "op://work/llm/key"]
    headers: { X-Team: platform }
`;
    expect(serversIn(text)).toEqual([
      {
        name: 'lab',
        speaks: 'openai',
        url: 'http://gpu-box:8000/v1',
        keyEnv: [],
        isOwn: true,
      },
      {
        name: 'work',
        speaks: 'anthropic',
        url: 'https://gateway.example.com/anthropic',
        keyEnv: ['WORK_KEY'],
        isOwn: true,
      },
      {
        name: 'vault',
        speaks: 'openai-responses',
        url: 'https://llm.example.com/v1',
        keyEnv: [],
        keyCommand: ['op', 'read', 'op://work/llm/key'],
        isOwn: true,
        headers: { 'X-Team': 'platform' },
      },
    ]);
  });

  it.each([
    ['openai', 'https://h.example/v1/chat/completions', 'https://h.example/v1'],
    ['openai', ' https://h.example/v1/models?limit=1 ', 'https://h.example/v1'],
    ['openai-responses', 'https://h.example/v1/responses', 'https://h.example/v1'],
    ['openai', 'https://h.example/v1beta/openai/', 'https://h.example/v1beta/openai'],
    ['anthropic', 'https://h.example/anthropic/v1/messages', 'https://h.example/anthropic'],
    ['anthropic', 'https://h.example/v1', 'https://h.example'],
    ['ollama', 'http://h.example:11434/api/chat', 'http://h.example:11434'],
  ])('shortens a pasted address to its base: %s, %s', (speaks, url, base) => {
    expect(serversIn(`servers: { lab: { speaks: ${speaks}, url: "${url}" } }`)[0]?.url).toBe(base);
  });

  it.each([
    ['ollama: { speaks: ollama, url: "http://h" }', /ollama: the name of a built-in provider \(/],
    ['codex: { speaks: openai, url: "http://h" }', /codex: the name of a coding agent that comes/],
    ['my/lab: { speaks: openai, url: "http://h" }', /without a slash/],
    ['"": { speaks: openai, url: "http://h" }', /expected a name of letters/],
    ['__proto__: { speaks: openai, url: "http://h" }', /unknown key/],
    ['lab: { speaks: http, url: "http://h" }', /lab\.speaks: expected one of "openai"\|/],
    ['lab: { url: "http://h" }', /lab\.speaks: /],
    ['lab: { speaks: openai }', /lab\.url: it is missing/],
    ['lab: { speaks: openai, url: h:8000/v1 }', /expected an address with its scheme/],
    ['lab: { speaks: openai, url: "ftp://h" }', /expected an address with its scheme/],
    ['lab: { speaks: openai, url: "http://h", key: k }', /lab\.key: unknown key/],
    ['lab: { speaks: openai, url: "http://h", key_env: "A B" }', /name of an environment variable/],
    ['lab: { speaks: openai, url: "http://h", key_command: op read }', /a program and its argum/],
    [
      'lab: { speaks: openai, url: "http://h", key_env: A, key_command: [op] }',
      /key_env and key_command: use one of them/,
    ],
    ['lab: { speaks: openai, url: "http://h", headers: { "X Y": a } }', /the name of a header/],
    [
      'lab: { speaks: openai, url: "http://h", headers: { X: "a\\nb" } }',
      /expected a header value/,
    ],
    [
      'lab: { speaks: openai, url: "http://h" }\n  lab: { speaks: openai, url: "http://i" }',
      /unique/,
    ],
    ['[lab]', /expected (?:record|object)/],
  ])('refuses an entry with a wrong name, key or value: %s', (entry, said) => {
    const problems = problemsOf(`servers:\n  ${entry}\n`);
    expect(problems[0]).toMatch(said);
    expect(problems[0]).toMatch(/^\d+: /);
  });

  it('refuses a server with the same name as a coding agent in the same file', () => {
    const text =
      'servers: { lab: { speaks: openai, url: "http://h" } }\nagents: { lab: { command: x } }\n';
    expect(problemsOf(text)).toEqual([
      '1: servers.lab: agents names it too: give one of them another name',
    ]);
  });

  it('is refused if an address contains a password or a header’s value is invalid, and the error repeats neither', () => {
    const [address] = problemsOf(
      'servers: { lab: { speaks: openai, url: "http://me:s3cret-pass@h" } }',
    );
    expect(address).toMatch(/contains a user name or password; set key_env or key_command instead/);
    const [header] = problemsOf(
      'servers: { lab: { speaks: openai, url: "http://h", headers: { X: "s3cret-pass\\r" } } }',
    );
    expect(`${address}${header}`).not.toContain('s3cret-pass');
  });

  it('is refused in a project’s file', () => {
    const { env } = makeCall('servers: { lab: { speaks: openai, url: "http://h" } }\n');
    const file = join(env.HOME ?? '', '.config', 'deliberate', 'config.yaml');
    expect(() => readConfigFile('project', file, true)).toThrow(
      /config\.yaml:1: servers: only your own file may set this/,
    );
  });
});

describe('presets/servers.yaml', () => {
  const file = join(BUILT_IN, 'servers.yaml');
  const text = readFileSync(file, 'utf8');

  it('is read line by line, and a YAML parser would give the same result', () => {
    const entries = Object.entries(readYaml(file, text, serversSchema).value);
    expect(entries.length).toBeGreaterThan(10);
    const read = serversOf({}).map(({ name, speaks, url, keyEnv }) => ({
      name,
      speaks,
      url,
      keyEnv,
    }));
    expect(read).toEqual(
      entries.map(([name, { speaks, url, key_env = [] }]) => ({
        name,
        speaks,
        url,
        keyEnv: key_env,
      })),
    );
  });

  it('has two lines for each server: a comment with source and date, and the server’s settings', () => {
    const lines = text
      .trimEnd()
      .split('\n')
      .slice(text.split('\n').indexOf('') + 1);
    for (const [index, line] of lines.entries())
      expect(line).toMatch(
        index % 2 === 0 ? /^# https:\/\/.*\(\d{4}-\d\d-\d\d\)$/ : /^\w+: \{ .* \}$/,
      );
  });

  it('is overridden by an entry of the same name in the configuration', () => {
    const { config } = settingsWithSources(
      makeCall('servers: { vllm: { speaks: openai, url: "http://box/v1" } }'),
    );
    const found = serversOf(config).filter(({ name }) => name === 'vllm');
    expect(found.map(({ url, isOwn }) => [url, isOwn])).toEqual([['http://box/v1', true]]);
  });
});

describe('a model at a named server', () => {
  it('may have a name with slashes, since the configuration says which part is the server', () => {
    settingsWithSources(
      makeCall('servers: { lab: { speaks: openai, url: "http://h" } }\nmodel: lab/org/m:1\n'),
    );
    for (const spec of ['lab/org/m:1', 'openrouter/x-ai/grok-5', 'ollama/qwen3:8b'])
      expect(checkSpec(spec)).toBe(spec);
    for (const spec of ['lab/', 'lab', '/m', 'la b/m', 'constructor/m', '__proto__/m'])
      expect(() => checkSpec(spec), spec).toThrow(UsageError);
    try {
      checkSpec('opnrouter/x');
    } catch (error) {
      expect((error as UsageError).next).toMatch(
        /^Did you mean openrouter\/x\? .*\blab, openrouter/,
      );
    }
    expect.assertions(10);
  });
});
