/**
 * The recipes of CONTRIBUTING.md, followed in a copy of the sources: a provider `echo`, a fact `table.moved`,
 * a kind of record `Last words`, a flag `--loud`, a protocol `coin` with a tab, a flag and a setting `coins`,
 * presets and a schema `tone`. A function `completeX` adds to the copy what the compiler demands after the
 * recipe `addX`.
 */
import type { Sources } from './sources.ts';

/**
 * Follows the recipe for a provider in a copy of the sources: adds the provider `echo`, but not yet to the
 * table of providers. `echo` answers with the values of the variables `ECHO_KEY` and `ECHO_OTHER`, and only
 * `ECHO_KEY` is declared as its secret.
 */
export function addProvider(copy: Sources): void {
  copy.put(
    'src/models/providers/echo.ts',
    `import { NO_USAGE } from '../../kernel/model.ts';
import type { Provider } from '../provider.ts';

/** Says what it was given: a key that it declares, and one that it does not. */
export function echoProvider(env: Readonly<Record<string, string | undefined>>): Provider {
  return {
    name: 'echo',
    endpoint: 'built in',
    queues: false,
    stream: async (request, context) => {
      context.onBytes();
      context.onText(
        \`I was asked by echo/\${request.model} with \${env.ECHO_KEY} and \${env.ECHO_OTHER}\`,
      );
      return { ok: true, usage: NO_USAGE, notes: [] };
    },
    list: async () => [],
  };
}
`,
  );
  copy.edit(
    'src/kernel/providers/names.ts',
    '} as const satisfies',
    "  echo: { secrets: ['ECHO_KEY'], addresses: [], settings: [], needsKey: false },\n} as const satisfies",
  );
}

/** Adds the provider `echo`, which `addProvider` has written, to the table of providers in the copy. */
export function completeProvider(copy: Sources): void {
  const file = 'src/models/providers.ts';
  copy.edit(file, '  openai: openaiProvider,', '  openai: openaiProvider,\n  echo: echoProvider,');
  copy.edit(
    file,
    'import { withoutLeaks }',
    "import { echoProvider } from './providers/echo.ts';\nimport { withoutLeaks }",
  );
}

/**
 * Follows the recipe for a fact in a copy of the sources: adds the made-up fact `table.moved` to the facts of
 * boards.
 */
export function addFact(copy: Sources): void {
  copy.edit(
    'src/protocols/board/facts.ts',
    'export const BOARD_FACTS = [',
    "export const BOARD_FACTS = [\n  factSchema('table.moved', { where: z.string() }),",
  );
}

/**
 * Adds what the compiler demands after `addFact`: the sentence in which the console describes the fact
 * `table.moved`, and an example of this fact for the tests.
 */
export function completeFact(copy: Sources): void {
  copy.edit(
    'src/protocols/board/view/says.ts',
    "  'ballot.cast': (fact)",
    "  'table.moved': ({ where }) => where,\n  'ballot.cast': (fact)",
  );
  copy.edit(
    'test/kernel/facts.test.ts',
    "  'run.ended': { v: 1,",
    "  'table.moved': { v: 1, type: 'table.moved', where: 'the hall' },\n  'run.ended': { v: 1,",
  );
}

/**
 * Follows the recipe for a protocol in a copy of the sources: adds the protocol `coin`, which asks one seat
 * and tosses coins. It has a folder of its own, and an entry in each of three files outside of that folder.
 */
export function addProtocol(copy: Sources): void {
  const folder = 'src/protocols/coin';
  copy.put(
    `${folder}/facts.ts`,
    `import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import { defineVocabulary, factSchema } from '../../kernel/vocabulary.ts';

const COIN_FACTS = [
  factSchema('coin.fell', { coins: z.number(), side: z.string() }),
] as const;
export const COIN = defineVocabulary([...KERNEL_FACTS, ...COIN_FACTS]);
export type OwnBody = z.infer<(typeof COIN_FACTS)[number]>;
`,
  );
  copy.put(
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
  copy.put(
    `${folder}/view/says.ts`,
    `import type { AnyFact, FactSentences } from '../../../kernel/vocabulary.ts';
import { COIN, type OwnBody } from '../facts.ts';

const SAYINGS: FactSentences<OwnBody> = {
  'coin.fell': ({ coins, side }) => \`\${coins} coins fell: \${side}\`,
};

export function says(one: AnyFact): string | undefined {
  return COIN.say(SAYINGS, one);
}
`,
  );
  copy.put(
    `${folder}/view/console.ts`,
    `import { COMMON_VIEW, type ProtocolView } from '../../../console/run/protocol-view.ts';
import { says } from './says.ts';

export const view: ProtocolView = { ...COMMON_VIEW, says };
`,
  );
  copy.put(
    `${folder}/view/plain.ts`,
    `import { COMMON_TEXT, type ProtocolText, toResult } from '../../../plain/protocol-text.ts';
import { says } from './says.ts';

export const text: ProtocolText = {
  ...COMMON_TEXT,
  teller: () => ({
    tell: (one) => [says(one) ?? []].flat().map((said) => toResult(said)),
    above: () => [],
  }),
};
`,
  );
  copy.put(
    `${folder}/desk/convene.ts`,
    `import type { Invocation } from '../../../app/invocation.ts';
import { beginInTerminal } from '../../../app/run/run-in-terminal.ts';
import { readConfig } from '../../../app/settings/config.ts';
import { openModels } from '../../../app/settings/providers.ts';
import { readQuestion } from '../../../app/settings/question.ts';

export async function coin(call: Invocation): Promise<number> {
  const config = readConfig(call);
  const question = await readQuestion(call);
  const models = openModels(call, config);
  const model = call.flags.model ?? 'rehearsal/panel';
  const seats = [{ id: 'tosser', role: 'tosser', title: 'Tosser', model, brief: 'Toss.' }];
  return beginInTerminal({ call, config, models }, 'coin', {
    question,
    seats,
    config: { coins: config.coins ?? 1 },
  });
}
`,
  );
  copy.edit(
    'src/protocols/table.ts',
    'const CARDS: ReadonlyMap<string, Card> = new Map<string, Card>([\n',
    `const CARDS: ReadonlyMap<string, Card> = new Map<string, Card>([
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
  copy.edit('src/protocols/vocabulary.ts', '= [KERNEL, ', '= [KERNEL, COIN, ');
  copy.edit(
    'src/protocols/vocabulary.ts',
    'import { ROUNDS }',
    "import { COIN } from './coin/facts.ts';\nimport { ROUNDS }",
  );
  copy.edit(
    'src/protocols/desks.ts',
    'const DESKS: ReadonlyMap<string, Desk> = new Map<string, Desk>([\n',
    `const DESKS: ReadonlyMap<string, Desk> = new Map<string, Desk>([
  [
    'coin',
    {
      command: {
        usage: 'coin [QUESTION]',
        summary: 'a coin is tossed',
        flags: ['model', 'coins', ...WORK],
        load: async () => (await import('./coin/desk/convene.ts')).coin,
      },
    },
  ],
`,
  );
  copy.edit(
    'src/protocols/desks.ts',
    "  MODELS,\n} from '../app/command.ts'",
    "  MODELS,\n  WORK,\n} from '../app/command.ts'",
  );
}

/**
 * Adds a tab `Tosses` to the console's view of the protocol `coin`, which `addProtocol` has added to the
 * copy.
 */
export function addTab(copy: Sources): void {
  const file = 'src/protocols/coin/view/console.ts';
  copy.edit(
    file,
    '{ ...COMMON_VIEW, says }',
    `{
  ...COMMON_VIEW,
  says,
  tabs: [{ id: 'tosses', place: 2, title: 'Tosses', shown: () => true, page: tossesPage }],
}`,
  );
  copy.edit(
    file,
    "import { says } from './says.ts';\n",
    `import type { Page, PageAround } from '../../../console/run/tabs/page.ts';
import { says } from './says.ts';

function tossesPage({ runModel, size }: PageAround): Page {
  return {
    render: () => {
      const told = runModel.log.filter(({ type }) => type === 'coin.fell');
      const rows = ['Toss by toss', ...told.map(({ summary }) => summary)];
      return Array.from({ length: size().rows }, (_, row) => rows[row] ?? '');
    },
    move: () => undefined,
  };
}
`,
  );
}

/** Adds the flag `--coins` to the program's flags in the copy, for the command `coin` of `addProtocol`. */
export function addFlag(copy: Sources): void {
  copy.edit(
    'src/app/flags.ts',
    "  model: textFlag('M',",
    "  coins: numberFlag('N', 'how many are tossed', parseOptional(positive)),\n  model: textFlag('M',",
  );
}

/**
 * Adds the setting `coins`, the number of coins to toss, to the copy, and to the settings that the command
 * `config` lists.
 */
export function addSetting(copy: Sources): void {
  copy.edit(
    'src/app/settings/config.ts',
    '  keys: z\n',
    "  coins: positive.describe('How many coins are tossed.').optional(),\n  keys: z\n",
  );
  copy.edit(
    'src/cli/commands.ts',
    "      'stopAt',\n      'respond',\n      'budget",
    "      'coins',\n      'stopAt',\n      'respond',\n      'budget",
  );
}

/**
 * Adds what the compiler demands after `addSetting`: the default of the setting `coins`, and that `--coins`
 * sets it.
 */
export function completeSetting(copy: Sources): void {
  copy.edit(
    'src/app/settings/config.ts',
    "  keys: { otherwise: '",
    "  coins: { otherwise: '1', flag: 'coins', project: true },\n  keys: { otherwise: '",
  );
}

/**
 * Follows the recipe for a kind of preset in a copy of the sources: adds the made-up kind `tone`, with the
 * preset `dry`.
 */
export function addPresetKind(copy: Sources): void {
  const file = 'src/io/preset-kinds.ts';
  copy.edit(
    file,
    'export const ROLE_KIND',
    `export const toneSchema = z.strictObject({ ...about, avoid: z.array(z.string()) });

const TONE_KIND: PresetKind<z.infer<typeof toneSchema>> = {
  noun: 'tone',
  folder: 'tones',
  ending: '.yaml',
  read: ({ file, text }) => readYaml(file, text, toneSchema).value,
};

export const ROLE_KIND`,
  );
  copy.edit(file, '  [BOARD_KIND, ', '  [TONE_KIND, BOARD_KIND, ');
  copy.put(
    'presets/tones/dry.yaml',
    'name: Dry\ndescription: Facts alone.\navoid: [certainly, of course]\n',
  );
}

/**
 * Adds the JSON schema of the kind of preset `tone`, which `addPresetKind` has added to the copy, to the
 * published schemas.
 */
export function addSchema(copy: Sources): void {
  const file = 'docs/schemas.ts';
  copy.edit(
    file,
    "  { file: 'cast',",
    "  { file: 'tone', schema: toneSchema, title: 'A preset tone: tones/NAME.yaml' },\n  { file: 'cast',",
  );
  copy.edit(file, '  staffSchema,\n}', '  staffSchema,\n  toneSchema,\n}');
}

/**
 * Follows the recipe for a kind of record in a copy of the sources: adds `Last words` to the runs of agents,
 * with the number of words in the last text of each agent.
 */
export function addRecordKind(copy: Sources): void {
  const file = 'src/protocols/agents/view/records.ts';
  copy.edit(
    file,
    '/** The kinds of records of an agent run, each with how a report and a comparison of runs show it. */',
    `const WORDS = recordKind({
  name: 'Last words',
  about: 'How many words each agent ended with.',
  all: (agents: AgentsView) => listAgents(agents),
  id: ({ agent: { path } }) => path,
  heading: ({ agent: { agent } }) => agent,
  columns: [
    { title: 'speaker', of: ({ agent: { agent } }) => agent },
    { title: '>words', of: ({ agent: { text = '' } }) => String(text.split(' ').length) },
  ],
  compared: ({ agent: { text = '' } }) => ({ words: String(text.split(' ').length) }),
});

/** The kinds of records of an agent run, each with how a report and a comparison of runs show it. */`,
  );
  copy.edit(
    file,
    '  recordEntry(AGENT, ',
    "  recordEntry(WORDS, { tab: { id: 'words', place: 5.5 }, compared: { as: 'words' } }),\n  recordEntry(AGENT, ",
  );
}

/** Adds the made-up flag `--loud`, which prints the report in capitals, to the command `show` in the copy. */
export function addFlagOfCommand(copy: Sources): void {
  copy.edit(
    'src/app/flags.ts',
    "  quiet: offSwitch('Print no progress'),",
    "  quiet: offSwitch('Print no progress'),\n  loud: offSwitch('Print the report in capitals'),",
  );
  copy.edit(
    'src/cli/run-commands.ts',
    "    flags: ['json', ...FILES],\n    load: async () => (await import('./show.ts')).show,",
    "    flags: ['json', 'loud', ...FILES],\n    load: async () => (await import('./show.ts')).show,",
  );
  copy.edit(
    'src/cli/show.ts',
    'call.out.write(formatReport(store.facts(id), await loadProtocolReport(protocol), status));',
    `const text = formatReport(store.facts(id), await loadProtocolReport(protocol), status);
      call.out.write(call.flags.loud ? text.toUpperCase() : text);`,
  );
}
