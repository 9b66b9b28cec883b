/** Tests servers with many models or none, in listing commands and shell completion. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startOpenAI } from '../servers/index.ts';
import { needAll } from '../setup/needs.ts';
import { runDeliberate } from './calls.ts';
import { closeAfterTest, makeFolder } from './scene.ts';
import { PROGRAM, Terminal } from './terminal.ts';

/** Makes a folder for PATH with the program in it. */
function binFolder(): string {
  const bin = makeFolder();
  const file = `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;
  writeFileSync(join(bin, 'deliberate'), file, { mode: 0o755 });
  return bin;
}

/** Creates a home whose configuration names servers. */
function homeWith(servers: string): Record<string, string> {
  const home = makeFolder();
  mkdirSync(join(home, '.config', 'deliberate'), { recursive: true });
  writeFileSync(join(home, '.config', 'deliberate', 'config.yaml'), `servers:\n${servers}`);
  return { HOME: home, OLLAMA_HOST: 'http://127.0.0.1:9' };
}

const makeModels = (count: number) =>
  Array.from({ length: count }, (_, index) => `maker-${index % 20}/model-${index}`);

it.each([
  ['does not answer', 'lmstudio', /^lmstudio {2}http:\/\/127\.0\.0\.1:1234\/v1/],
  ['has no API key', 'openrouter', /^openrouter {2}https:.* there is no API key\. Set OPENROUTER_/],
])('deliberate models NAME lists a well-known server even if it %s', async (_what, name, told) => {
  const { out } = await runDeliberate(['models', name], { env: { HOME: makeFolder() } });
  expect(out).toMatch(told);
});

it.each([400, 5_000])(
  'a list of %i models is grouped by server and narrowed by words',
  async (count) => {
    const [market, lab] = [
      closeAfterTest(
        await startOpenAI({ models: makeModels(count), described: { context_length: 65_536 } }),
      ),
      closeAfterTest(await startOpenAI({ models: ['maker-7/model-1'] })),
    ];
    const env = homeWith(
      `  market: { speaks: openai, url: "${market.url}/v1" }\n  lab: { speaks: openai, url: "${lab.url}/v1" }\n`,
    );
    const { code, out } = await runDeliberate(['models'], { env });
    expect(code).toBe(0);
    const rows = out.split('\n');
    const heads = rows.filter((row) => /^(?:market|lab) {2}http/.test(row));
    expect(heads).toEqual([`market  ${market.url}/v1`, `lab  ${lab.url}/v1`]);
    const [first = 0, second = 0] = heads.map((head) => rows.indexOf(head));
    expect(second - first - 1).toBe(count);
    expect(rows[first + 1]).toMatch(/^ {2}market\/maker-0\/model-0 +66k context/);
    const narrowed = await runDeliberate(['models', 'market', 'maker-7', 'model-27'], { env });
    expect(narrowed.out).toContain('market/maker-7/model-27 ');
    expect(narrowed.out).not.toMatch(/maker-[^7]|^lab/m);
    const { out: json } = await runDeliberate(['models', '--json', 'maker-7/'], { env });
    const found = json
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as { provider: string; models: { spec: string }[] });
    const counts = new Map(found.map(({ provider, models }) => [provider, models.length]));
    expect([counts.get('market'), counts.get('lab')]).toEqual([count / 20, 1]);
  },
);

it('a server with an empty list of models is named by `deliberate models NAME`, and in the error of a board that finds no model', async () => {
  const server = closeAfterTest(await startOpenAI({ models: [] }));
  const env = homeWith(`  lab: { speaks: openai, url: "${server.url}/v1" }\n`);
  expect((await runDeliberate(['models', 'lab'], { env })).out).toBe(
    `lab  ${server.url}/v1\n  no models\n`,
  );
  const { code, err } = await runDeliberate(['board', '--plain', 'Should we?'], { env });
  expect(code).not.toBe(0);
  expect(err).toContain(`lab at ${server.url}/v1: no models`);
});

const MODELS = ['org/alpha', 'org/beta', 'qwen3:8b', 'qwen3:14b', 'other'];

it('completion in bash offers the models of servers, and runs no key_command', async () => {
  const server = closeAfterTest(await startOpenAI({ models: MODELS }));
  const ran = join(makeFolder(), 'ran');
  const env = homeWith(
    `  lab: { speaks: openai, url: "${server.url}/v1" }\n  vault: { speaks: openai, url: "${server.url}/v1", key_command: [touch, "${ran}"] }\n`,
  );
  const { out: script } = await runDeliberate(['completions', 'bash'], { env });
  const bin = binFolder();
  const completeWords = async (...words: string[]): Promise<string[]> => {
    const run = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _deliberate; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)(
      'bash',
      ['--norc', '-c', run, 'bash', 'deliberate', ...words],
      { env: { ...env, PATH: `${bin}:${process.env.PATH}` } },
    );
    return stdout.split('\n').filter((word) => word !== '');
  };
  expect(await completeWords('board', '--model', 'la')).toEqual([
    ...MODELS.map((model) => `lab/${model}`),
    'lab/',
  ]);
  expect(await completeWords('board', '--seat', 'critic', '=', 'lab/org/b')).toEqual([
    'lab/org/beta',
  ]);
  expect(await completeWords('board', '--seat', 'critic', '=')).toContain('lab/org/alpha');
  // Bash splits words at colons and replaces only the part after the last colon, so only this part is offered.
  expect(await completeWords('board', '--model', 'lab/qwen3', ':')).toEqual(['8b', '14b']);
  expect(await completeWords('board', '--model', 'lab/qwen3', ':', '1')).toEqual(['14b']);
  const seat = ['board', '--seat', 'critic', '=', 'lab/qwen3', ':', '8'];
  expect(await completeWords(...seat)).toEqual(['8b']);
  expect(await completeWords('board', '--seat', '=', 'critic', '=', 'lab/org/b')).toEqual([
    'lab/org/beta',
  ]);
  expect(await completeWords('rounds', '--verifier', 'vau')).toEqual(['vault/']);
  expect(await completeWords('doctor', 'openr')).toEqual(['openrouter/']);
  await expect(promisify(execFile)('ls', [ran])).rejects.toThrow();
});

it('completion in bash never runs a command that is part of a model’s name', async () => {
  const ran = join(makeFolder(), 'ran');
  const evil = [`$(touch ${ran})`, `\`touch ${ran}\``, `a;touch ${ran};`];
  const server = closeAfterTest(await startOpenAI({ models: evil }));
  const env = homeWith(`  lab: { speaks: openai, url: "${server.url}/v1" }\n`);
  const { out: script } = await runDeliberate(['completions', 'bash'], { env });
  const run = `${script}
COMP_WORDS=(deliberate board --model lab/); COMP_CWORD=3; _deliberate
eval "set -- \${COMPREPLY[*]}"; printf '%s\\n' "$@"`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', run], {
    env: { ...env, PATH: `${binFolder()}:${process.env.PATH}` },
  });
  expect(existsSync(ran)).toBe(false);
  // When bash evaluates a completed word, the result is the model's name.
  expect(stdout.trim().split('\n')).toEqual([...evil.map((name) => `lab/${name}`), 'lab/']);
});

describe.each([
  ['zsh', ['-f', '-i'], 'autoload -Uz compinit; compinit -D -u; source ./script'],
  ['fish', ['--no-config'], 'source ./script'],
] as const)('completion in the shell %s', (shell, flags, load) => {
  needAll(spawnSync(shell, ['-c', 'exit 0']).status === 0, `${shell} is not installed`);

  it('completes the names of servers and of their models, also after a role, while somebody types', async () => {
    const server = closeAfterTest(await startOpenAI({ models: MODELS }));
    const env = homeWith(`  lab: { speaks: openai, url: "${server.url}/v1" }\n`);
    const home = env.HOME ?? '';
    const { out: script } = await runDeliberate(['completions', shell], { env });
    writeFileSync(join(home, 'script'), script);
    const terminal = new Terminal(flags, {
      command: shell,
      cwd: home,
      env: { ...env, PATH: `${binFolder()}:${process.env.PATH}`, PS1: '> ' },
    });
    terminal.press(`${load}; echo read""y\r`);
    await terminal.until(/ready/);
    for (const [typed, completed] of [
      ['board --seat critic=lab/org/b', 'board --seat critic=lab/org/beta'],
      ['board --seat critic=lab/qwen3:1', 'board --seat critic=lab/qwen3:14b'],
      ['board --model lab/oth', 'board --model lab/other'],
      ['rounds --verifier openr', 'rounds --verifier openrouter/'],
      ['doctor lab/org/a', 'doctor lab/org/alpha'],
      ['board --synthesizer lab/qwen3:8', 'board --synthesizer lab/qwen3:8b'],
    ] as const) {
      // The `;` that is typed after Tab appears only when the completion is done.
      terminal.press(`deliberate ${typed}\t;`);
      await terminal.until((screen) => screen.replace(/ ;/g, ';').includes(`${completed};`));
      terminal.press('\x15\x0c');
    }
    terminal.press('exit\r');
    await terminal.exited;
  });
});
