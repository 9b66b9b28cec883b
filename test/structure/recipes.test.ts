/** The recipes of CONTRIBUTING.md, followed to the letter in a copy of the sources, and tried. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'recipes-'));
  for (const part of ['src', 'presets', 'package.json', 'tsconfig.json', 'test/structure'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  put(
    'start.ts',
    "import { main } from './src/cli/main.ts';\nprocess.exit(await main(process.argv.slice(2)));",
  );
  put('tsconfig.src.json', '{ "extends": "./tsconfig.json", "include": ["src"] }');
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  writeFileSync(join(copy, file), text);
}

/** Puts text before, or in place of, what stands there exactly once. */
function edit(file: string, there: string, instead: string): void {
  const text = readFileSync(join(copy, file), 'utf8');
  expect(text.split(there), `${there} in ${file}`).toHaveLength(2);
  writeFileSync(
    join(copy, file),
    text.replace(there, () => instead),
  );
}

/** The files in which types are missing something. */
async function incomplete(): Promise<string[]> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '--pretty', 'false', '-p', 'tsconfig.src.json'];
  const { stdout } = await run(process.execPath, args, { cwd: copy }).catch(
    (error: { stdout: string }) => error,
  );
  return [
    ...new Set([...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file = '']) => file)),
  ];
}

async function deliberate(...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', HOME: copy, DELIBERATE_DB: join(copy, 'runs.db') };
  const { stdout } = await run(process.execPath, ['start.ts', ...args], {
    cwd: copy,
    env,
  });
  return stdout;
}

async function floors(): Promise<string> {
  return (await run(process.execPath, ['test/structure/check.ts'], { cwd: copy })).stdout;
}

describe('CONTRIBUTING.md', () => {
  it('leads to a provider, a fact, a flag and a protocol; types say what is missing on the way', async () => {
    provider();
    aFact();
    protocol();
    edit(
      'src/app/flags.ts',
      "  model: { type: 'string', hint: 'M',",
      "  coins: { type: 'number', hint: 'N', description: 'how many are tossed' },\n  model: { type: 'string', hint: 'M',",
    );
    edit('src/app/flags.ts', '  model: text,', '  coins: optional(positive),\n  model: text,');
    expect((await incomplete()).sort()).toEqual([
      'src/models/providers.ts',
      'src/protocols/board/view/says.ts',
    ]);

    edit(
      'src/models/providers.ts',
      '  openai: openaiProvider,',
      '  openai: openaiProvider,\n  echo: () => echoProvider,',
    );
    edit(
      'src/models/providers.ts',
      'import { discreet }',
      "import { echoProvider } from './providers/echo.ts';\nimport { discreet }",
    );
    edit(
      'src/protocols/board/view/says.ts',
      "  'ballot.cast': (one)",
      "  'table.moved': ({ where }) => where,\n  'ballot.cast': (one)",
    );
    expect(await incomplete()).toEqual([]);
    expect(await floors()).toContain(' 0 against the floors');

    const board = ['board', '--plain', '--quiet', '--no-vote', '--synthesizer', 'echo/x'];
    expect(await deliberate(...board, '--seat', 'critic=echo/x', 'Should we split it?')).toContain(
      'I was asked by echo/x',
    );
    expect(await deliberate('help', 'coin')).toMatch(/--coins N +how many are tossed/);
    const tossed = await deliberate(
      'coin',
      '--plain',
      '--quiet',
      '--coins',
      '3',
      '--model',
      'echo/x',
      'Heads?',
    );
    expect(tossed).toContain('3 coins fell: heads');
    expect(await deliberate('show', 'latest')).toContain('I was asked by echo/x');
    expect(await deliberate('export', 'latest', '--format', 'json')).toContain('"coin.fell"');
    expect(await deliberate('list')).toMatch(/coin.*Heads\?/);
    expect(
      await deliberate(
        'fork',
        'latest',
        '--at',
        'toss',
        '--set',
        'seat.tosser.model=rehearsal/panel',
        '--rehearse-speed',
        '1000',
        '--plain',
      ),
    ).toContain('3 coins fell: heads');
  }, 120_000);
});

function provider(): void {
  put(
    'src/models/providers/echo.ts',
    `import { NO_USAGE } from '../../kernel/model.ts';
import type { Provider } from '../provider.ts';

export const echoProvider: Provider = {
  name: 'echo',
  endpoint: 'built in',
  secrets: [],
  queues: false,
  stream: async (request, context) => {
    context.onBytes();
    context.onText(\`I was asked by echo/\${request.model}\`);
    return { ok: true, usage: NO_USAGE, notes: [] };
  },
  list: async () => [],
};
`,
  );
  edit('src/kernel/spec.ts', "'rehearsal'] as const", "'rehearsal', 'echo'] as const");
}

function aFact(): void {
  edit(
    'src/protocols/board/facts.ts',
    'export const BOARD_FACTS = [',
    "export const BOARD_FACTS = [\n  z.object({ v: z.literal(1), type: z.literal('table.moved'), where: z.string() }),",
  );
}

/** A protocol that asks one seat and tosses coins: a folder, and a word in four files outside of it. */
function protocol(): void {
  const folder = 'src/protocols/coin';
  put(
    `${folder}/facts.ts`,
    `import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import { type Envelope, vocabulary } from '../../kernel/vocabulary.ts';

export const COIN_FACTS = [
  z.object({ v: z.literal(1), type: z.literal('coin.fell'), coins: z.number(), side: z.string() }),
] as const;
export const COIN = vocabulary([...KERNEL_FACTS, ...COIN_FACTS]);
export type OwnBody = z.infer<(typeof COIN_FACTS)[number]>;
export type Fact = Envelope & z.infer<(typeof KERNEL_FACTS)[number] | (typeof COIN_FACTS)[number]>;
`,
  );
  put(
    `${folder}/coin.ts`,
    `import * as z from 'zod';
import type { Protocol } from '../../kernel/protocol.ts';
import { conveneSchema } from '../common/requests.ts';
import { COIN } from './facts.ts';

const config = z.object({ coins: z.number().int() });

export const coin: Protocol<z.infer<typeof config>, z.infer<typeof conveneSchema>> = {
  name: 'coin',
  config,
  requests: conveneSchema,
  async execute(run, { question, seats: [seat], config: { coins } }) {
    if (seat === undefined) return { status: 'failed', reason: 'nobody tosses' };
    const messages = [{ role: 'user' as const, parts: [{ text: question }] }];
    await run.ask('toss', { task: 'coin/toss', seat, messages, seed: 1 });
    await run.step('fell', { coins }, async ({ emit }) => emit(COIN.make('coin.fell', { coins, side: 'heads' })));
    return { status: 'done' };
  },
};
`,
  );
  put(
    `${folder}/view/says.ts`,
    `import type { AnyFact, Sayings } from '../../../kernel/vocabulary.ts';
import { COIN, type OwnBody } from '../facts.ts';

const SAYINGS: Sayings<OwnBody> = {
  'coin.fell': ({ coins, side }) => \`\${coins} coins fell: \${side}\`,
};

export function says(one: AnyFact): string | undefined {
  return COIN.say(SAYINGS, one);
}
`,
  );
  put(
    `${folder}/view/console.ts`,
    `import { COMMON_VIEW, type ProtocolView } from '../../../console/run/protocol-view.ts';
import { says } from './says.ts';

export const view: ProtocolView = { ...COMMON_VIEW, says };
`,
  );
  put(
    `${folder}/view/plain.ts`,
    `import { COMMON_TEXT, type ProtocolText, result } from '../../../plain/protocol-text.ts';
import { says } from './says.ts';

export const text: ProtocolText = {
  ...COMMON_TEXT,
  teller: () => ({
    tell: (one) => [says(one) ?? []].flat().map((said) => result(said)),
    above: () => [],
  }),
};
`,
  );
  put(
    `${folder}/desk/convene.ts`,
    `import type { Invocation } from '../../../app/invocation.ts';
import { runInTerminal } from '../../../app/run/run-in-terminal.ts';
import { readConfig } from '../../../app/settings/config.ts';
import { openModels } from '../../../app/settings/providers.ts';
import { readQuestion } from '../../../app/settings/question.ts';
import { openStore } from '../../../app/store.ts';
import { protocolNamed } from '../../table.ts';

export async function coin(call: Invocation): Promise<number> {
  const config = readConfig(call);
  const question = await readQuestion(call);
  const models = openModels(call, config);
  const store = openStore(call);
  const model = call.flags.model ?? 'rehearsal/panel';
  return runInTerminal({
    call,
    config,
    store,
    models,
    journal: store.create('coin'),
    protocol: await protocolNamed('coin'),
    start: (session) =>
      session.begin({
        question,
        seats: [{ id: 'tosser', role: 'tosser', title: 'Tosser', model, brief: 'Toss.' }],
        config: { coins: call.flags.coins ?? 1 },
      }),
  });
}
`,
  );
  edit(
    'src/protocols/table.ts',
    'const CARDS: ReadonlyMap<string, Card> = new Map([\n',
    `const CARDS: ReadonlyMap<string, Card> = new Map([
  [
    'coin',
    {
      core: async () => (await import('./coin/coin.ts')).coin as Protocol,
      view: async () => (await import('./coin/view/console.ts')).view,
      text: async () => (await import('./coin/view/plain.ts')).text,
    },
  ],
`,
  );
  edit('src/protocols/vocabulary.ts', 'AGENTS] as const;', 'AGENTS, COIN] as const;');
  edit(
    'src/protocols/vocabulary.ts',
    'import { ROUNDS, ',
    "import { COIN } from './coin/facts.ts';\nimport { ROUNDS, ",
  );
  edit(
    'src/cli/commands.ts',
    'export const COMMANDS: Readonly<Record<string, Command>> = {\n',
    `export const COMMANDS: Readonly<Record<string, Command>> = {
  coin: {
    usage: 'coin [QUESTION]',
    summary: 'a coin is tossed',
    flags: ['model', 'coins', ...CALLS, ...OUTPUT, ...FILES],
    load: async () => (await import('../protocols/coin/desk/convene.ts')).coin,
  },
`,
  );
}
