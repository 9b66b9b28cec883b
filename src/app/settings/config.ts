/**
 * Reads the settings of a call. One table lists the settings. A flag overrides the project's file, which overrides
 * the person's own file, which overrides the default.
 * A project's file was written by somebody else. It may say how to deliberate, but not which models hear the
 * question, what may be spent, which files are read, or what keys do.
 */
import { join } from 'node:path';
import * as z from 'zod';
import { MOST_PREDICTIONS } from '../../decisions/predictions.ts';
import { configFolder } from '../../io/files.ts';
import { effortSchema, modelSchema } from '../../io/preset-kinds.ts';
import { projectFolder, refuseLinks } from '../../io/presets.ts';
import { explainCode, readTextFile } from '../../io/text-file.ts';
import { BadFile, readYaml, type Yaml } from '../../io/yaml-file.ts';
import { findDuration, LONGEST_MS } from '../../kernel/duration.ts';
import { UsageError } from '../../kernel/errors.ts';
import { addAgentNames, addProviderNames } from '../../kernel/providers/names.ts';
import { BELLS, type Flags } from '../flags.ts';
import type { TypedCall } from '../typed-call.ts';
import { agentsOf, agentsSchema } from './coding-agents.ts';
import { serversOf, serversSchema, toolServersSchema, variable } from './servers.ts';

/** The largest configuration file, in bytes. */
const LARGEST = 256 * 1024;

const positive = z.number().int().positive();

const duration = z.union(
  [
    z
      .number()
      .positive()
      .transform((seconds) => seconds * 1000)
      .pipe(z.number().max(LONGEST_MS)),
    z
      .string()
      .regex(/^(?=.*[1-9])\d+(\.\d+)?(ms|s|m|h)?$/)
      .transform(findDuration)
      .pipe(z.number().max(LONGEST_MS)),
  ],
  'expected a duration such as 30s, 2m or 500ms',
);

/** The schema of a folder below the repository, as a relative path without hidden folders. */
const folder = z
  .string()
  .regex(
    /^(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*$/,
    'expected a folder inside the repository, such as docs/roadmap',
  );

/** Creates the Zod schema of a configuration file. */
export const describeConfig = () =>
  z.strictObject({
    preset: z.string().describe('The board that sits when none is named.').optional(),
    model: modelSchema.describe('One model for every seat: ollama/qwen3:8b.').optional(),
    effort: effortSchema
      .describe(
        'How hard seats think that do not say so themselves, and synthesizers and verifiers.',
      )
      .optional(),
    synthesizer: modelSchema.describe('Who writes the synthesis.').optional(),
    verifier: modelSchema.describe('Who checks in rounds, from outside the panel.').optional(),
    servers: serversSchema
      .describe('Model servers by name: their models are called NAME/MODEL.')
      .optional(),
    embeddings: modelSchema
      .describe('Who turns text into vectors for context: ollama/nomic-embed-text.')
      .optional(),
    open: z.boolean().describe('Show the synthesizer who said what.').optional(),
    quorum: z
      .union([positive.transform(String), z.string().regex(/^\d+(\/\d+)?$/)], 'expected 3 or 3/5')
      .describe('How many answers are enough: 3, or 3/5.')
      .optional(),
    patience: duration
      .describe('How long the others have once the quorum has answered.')
      .optional(),
    seat_timeout: duration.describe('Give a seat up when it takes longer: 90s, 5m.').optional(),
    vote: z.boolean().describe('Take a ballot of every seat and map who holds what.').optional(),
    predict: z
      .int()
      .min(0)
      .max(MOST_PREDICTIONS)
      .describe(
        'How many predictions are drafted after a synthesis, with a probability from each model; 0 for none.',
      )
      .optional(),
    baseline: z
      .string()
      .describe('The same question without a panel: single, vote, vote-5, or two with a comma.')
      .optional(),
    rounds: z
      .union(
        [z.enum(['brief', 'standard', 'audit']), positive.max(100)],
        'expected brief, standard, audit or a number from 1 to 100',
      )
      .transform(String)
      .describe('How many rounds are held.')
      .optional(),
    stop_at: z
      .union(
        [z.literal(4), z.literal(5), z.literal(6), z.literal('never'), z.literal('ask')],
        'expected 4, 5, 6, never or ask',
      )
      .describe('Stop rounds when so many signals say so.')
      .optional(),
    respond: z
      .enum(['report', 'auto'])
      .describe('What to do about a suspected failure mode.')
      .optional(),
    plan_specs: folder.describe('Where plans are written, below the repository.').optional(),
    plan_fixes: folder.describe('Where plans put what has to be mended in any case.').optional(),
    team_levels: z
      .strictObject({
        'fast-cheap': modelSchema.optional(),
        capable: modelSchema.optional(),
        'reasoning-heavy': modelSchema.optional(),
      })
      .describe('The model of each capability level of a team.')
      .optional(),
    agents: agentsSchema
      .describe('Coding agents that speak the Agent Client Protocol, by the names seats give them.')
      .optional(),
    team_agent: z
      .array(z.string().min(1))
      .min(1)
      .describe('The coding agent that does the tasks of a team: [my-agent, --print, "{brief}"].')
      .optional(),
    team_agent_env: z
      .array(variable)
      .describe('Variables of yours that the coding agent is told, to sign in: [MY_AGENT_TOKEN].')
      .optional(),
    team_agent_home: z
      .array(
        z
          .string()
          .regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$)).+$/, 'expected a path inside your home folder'),
      )
      .describe('Files and folders of your home that are copied into its own: [.config/my-agent].')
      .optional(),
    tools: toolServersSchema
      .describe('MCP servers whose tools seats may use, by the names that --tools takes.')
      .optional(),
    team_author: z
      .enum(['person', 'deliberate'])
      .describe(
        'Who the commits of a team are by: you, with deliberate as co-author, or deliberate alone.',
      )
      .optional(),
    budget_tokens: positive
      .describe('Ask before a call that may pass so many tokens in all; without a terminal, stop.')
      .optional(),
    budget_usd: z.number().positive().describe('The same in US dollars.').optional(),
    idle_timeout: duration
      .describe('Give a call up when nothing arrives for this long: 30s, 2m.')
      .optional(),
    concurrency: positive.describe('Calls at a time for each provider, at most.').optional(),
    bell: z
      .enum(BELLS)
      .describe('Whether to call you when a long run ends or waits: never, bell or notice.')
      .optional(),
    notify_webhook: z
      .string()
      .regex(/^https?:\/\/[^\s/]+/, 'expected an address such as https://chat.example/hook')
      .describe('An address of yours that is sent the same as JSON with a text.')
      .optional(),
    notify_command: z
      .array(z.string().min(1))
      .min(1)
      .describe(
        'A command of yours that is run with the title and the text: [my-notifier, --quiet].',
      )
      .optional(),
    keys: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .describe('A command and its keys, of a run: stop: h; of another screen: home.add: +')
      .optional(),
  });

/**
 * The settings in force, including flags. A setting that nobody has set is absent. Durations are in
 * milliseconds.
 */
export type Config = z.infer<ReturnType<typeof describeConfig>>;
/** The name of a setting. */
export type SettingName = keyof Config;

interface Setting {
  /** What applies if nobody sets it, in words. */
  readonly otherwise: string;
  /** The flag that sets it for one call. */
  readonly flag?: keyof Flags;
  /** Whether a project's file may set it. */
  readonly project?: true;
}

/**
 * All settings by name, each with its default in words, the flag that sets it, and whether a
 * project's file may set it. A new setting needs a line here and one in the schema.
 */
export const SETTINGS: Readonly<Record<SettingName, Setting>> = {
  preset: { otherwise: 'classic-triad', flag: 'preset', project: true },
  model: { otherwise: 'the models found', flag: 'model' },
  effort: { otherwise: "the model's own", flag: 'effort' },
  synthesizer: { otherwise: "the fourth model found, or the first seat's", flag: 'synthesizer' },
  verifier: { otherwise: 'the synthesizer', flag: 'verifier' },
  servers: { otherwise: 'see deliberate servers' },
  embeddings: { otherwise: 'none: context is searched by keywords', flag: 'embed' },
  open: { otherwise: 'false', flag: 'open', project: true },
  quorum: { otherwise: 'all seats', flag: 'quorum', project: true },
  patience: { otherwise: '60s with a quorum', flag: 'patience', project: true },
  seat_timeout: { otherwise: 'none', flag: 'seatTimeout', project: true },
  vote: { otherwise: 'true', flag: 'vote', project: true },
  predict: { otherwise: '3 in rounds with models, else 0', flag: 'predict' },
  baseline: { otherwise: 'none', flag: 'baseline' },
  rounds: { otherwise: 'standard', flag: 'rounds', project: true },
  stop_at: { otherwise: '4; the console asks', flag: 'stopAt', project: true },
  respond: { otherwise: 'report', flag: 'respond', project: true },
  plan_specs: { otherwise: 'docs/roadmap', project: true },
  plan_fixes: { otherwise: 'docs/fixes', project: true },
  team_levels: { otherwise: 'the model, or the models found' },
  agents: { otherwise: 'those that come with the program' },
  team_agent: { otherwise: 'none: a model does the tasks' },
  team_agent_env: { otherwise: 'none' },
  team_agent_home: { otherwise: 'none' },
  tools: { otherwise: 'none' },
  team_author: { otherwise: 'person' },
  budget_tokens: { otherwise: 'none', flag: 'budgetTokens' },
  budget_usd: { otherwise: 'none', flag: 'budgetUsd' },
  idle_timeout: { otherwise: '120s', flag: 'idleTimeout' },
  concurrency: { otherwise: 'no limit', flag: 'concurrency' },
  bell: { otherwise: 'never', flag: 'bell' },
  notify_webhook: { otherwise: 'none' },
  notify_command: { otherwise: 'none' },
  keys: { otherwise: 'see ? in the console' },
};

/** The names of all settings. */
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** Whose file it is: the person's own, or a project's. */
type Whose = 'user' | 'project';

/** A configuration file that was looked for. */
interface ConfigFile {
  readonly whose: Whose;
  readonly file: string;
  /** The contents; absent if the file does not exist. */
  readonly yaml?: Yaml<Config>;
}

/** The settings in force, each with its source. */
interface SettingsWithSources {
  readonly config: Config;
  /** The source of each setting: `flag`, `file:line` or `default`. */
  readonly from: Readonly<Record<SettingName, string>>;
  readonly files: readonly ConfigFile[];
}

/**
 * Returns the settings in force: from flags, else the project's file, else the person's file.
 * Settings that are in none of them are absent.
 *
 * @throws BadFile that names file, line and what was expected
 */
export function readConfig(call: TypedCall): Config {
  return settingsWithSources(call).config;
}

/**
 * Returns the settings in force, each with its source: `flag`, `file:line` of a configuration file, or `default`.
 * Also makes the names of the configured
 * coding agents and model servers known to the code that parses models.
 *
 * @throws BadFile that names file, line and what was expected
 */
export function settingsWithSources(call: TypedCall): SettingsWithSources {
  const files = configFiles(call).map(({ whose, file, needed }) =>
    readConfigFile(whose, file, needed),
  );
  const config: Record<string, unknown> = {};
  const from = Object.fromEntries(
    SETTING_NAMES.map((name) => {
      const { flag } = SETTINGS[name];
      const flagged = flag === undefined ? undefined : call.flags[flag];
      const said = files.find(({ yaml }) => yaml?.value[name] !== undefined);
      const value = flagged ?? said?.yaml?.value[name];
      if (value !== undefined) config[name] = value;
      return [name, flagged !== undefined ? 'flag' : (said?.yaml?.place([name]) ?? 'default')];
    }),
  ) as Record<SettingName, string>;
  addAgentNames(() => agentsOf(config).map(({ name }) => name));
  addProviderNames(() => serversOf(config).map(({ name }) => name));
  return { config: config as Config, from, files };
}

/**
 * Returns the configuration files to read. The first one overrides the others.
 *
 * @returns each file with `whose` it is, and whether it was named by the person and therefore must
 *   exist (`needed`)
 */
export function configFiles({
  flags,
  env,
}: TypedCall): { whose: Whose; file: string; needed: boolean }[] {
  const named = flags.config ?? (env.DELIBERATE_CONFIG || undefined);
  const project = projectFolder(env);
  return [
    ...(project === undefined
      ? []
      : [{ whose: 'project' as const, file: join(project, 'config.yaml'), needed: false }]),
    {
      whose: 'user',
      file: named ?? join(configFolder(env), 'config.yaml'),
      needed: named !== undefined,
    },
  ];
}

/** Returns the path of the person's own configuration file, whether or not it exists. */
export function ownConfigFile(call: TypedCall): string {
  const file = configFiles(call).find(({ whose }) => whose === 'user')?.file;
  if (file === undefined) throw new Error('there is no configuration file of a person');
  return file;
}

/**
 * Reads a configuration file.
 *
 * @param needed whether a missing file is an error
 * @throws BadFile if the content is wrong or a project's file has a setting that only the person may
 *   set; UsageError if the file is needed and missing
 */
export function readConfigFile(whose: Whose, file: string, needed: boolean): ConfigFile {
  // Refuse symbolic links in a project's configuration only. A person may use links in their own configuration.
  if (whose === 'project') refuseLinks('project', file);
  const text = readTextFile(file, { most: LARGEST, links: whose === 'user' });
  if (text === undefined && needed) throw new UsageError(`${file}: ${explainCode('ENOENT')}`);
  if (text === undefined) return { whose, file };
  const yaml = readConfigText(file, text);
  if (whose === 'project') refuseOthers(yaml);
  return { whose, file, yaml };
}

/**
 * Parses the text of a configuration file.
 * @param file the name of the file, for messages
 * @throws BadFile if the content is wrong
 */
export function readConfigText(file: string, text: string): Yaml<Config> {
  return readYaml(file, text, describeConfig().superRefine(refuseTwins));
}

/** Refuses a server and a coding agent with the same name, because `NAME/MODEL` would be ambiguous. */
function refuseTwins({ servers = {}, agents = {} }: Config, context: z.RefinementCtx): void {
  for (const name of Object.keys(servers).filter((server) => Object.hasOwn(agents, server)))
    context.addIssue({
      code: 'custom',
      path: ['servers', name],
      message: 'agents names it too: give one of them another name',
    });
}

function refuseOthers({ value, place }: Yaml<Config>): void {
  const may = SETTING_NAMES.filter((name) => SETTINGS[name].project);
  const [first, ...more] = SETTING_NAMES.filter(
    (name) => value[name] !== undefined && !SETTINGS[name].project,
  ).map(
    (name) =>
      `${place([name])}: ${name}: only your own file may set this; a project may set ${may.join(', ')}`,
  );
  if (first !== undefined) throw new BadFile([first, ...more]);
}
