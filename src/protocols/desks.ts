/**
 * Lists what each protocol offers outside of a run, by the protocol's name and in the order in which people
 * see them. The command's words and flags are in this file, because help and completions must not load a
 * protocol. The other parts are loaded when they are needed:
 * - `home` (`desk/home.ts`): how the home screen offers the protocol, what the protocol accepts and what
 *   starts it.
 * - `tool` (`desk/tool.ts`): how coding agents start the protocol over MCP; absent if only people may start
 *   it.
 * - `arm` (`desk/arm.ts`): seats and settings in an evaluation; absent if the protocol cannot be an arm.
 * The schema of the MCP tool `convene` is built from the tool parts.
 */
import {
  BEGIN,
  type Command,
  ENGINE,
  FILES,
  JSON_AT_ONCE,
  MATERIAL,
  MODELS,
} from '../app/command.ts';
import type { ArmMaker } from '../app/evaluation/arm-maker.ts';
import type { HomePart, HomeParts, Invocation } from '../app/invocation.ts';
import type { ToolPart } from '../app/tool-part.ts';
import { UsageError } from '../kernel/errors.ts';

/** Finishes a resumed run. `wasDone` is true if nothing was left to resume. */
type FinishRun = (call: Invocation, run: string, wasDone: boolean) => Promise<number | undefined>;

interface Desk {
  /** The command that starts the protocol; it has the protocol's name. */
  readonly command: Command;
  /**
   * Loads the protocol's part of the home screen. Absent if only the command starts the protocol.
   */
  readonly home?: () => Promise<HomePart>;
  /** Loads the description for coding agents. Absent if only people can start the protocol. */
  readonly tool?: () => Promise<ToolPart>;
  /**
   * Loads the function that finishes a resumed run, for example by writing its files. The function
   * resolves to an exit code, or to undefined if there is nothing to do.
   */
  readonly finish?: () => Promise<FinishRun>;
  /** Loads the maker of evaluation runs. Absent if an evaluation cannot use the protocol. */
  readonly arm?: () => Promise<ArmMaker>;
}

const DESKS: ReadonlyMap<string, Desk> = new Map<string, Desk>([
  [
    'board',
    {
      command: {
        usage: 'board [QUESTION]',
        summary: 'ask advisors side by side, then synthesize',
        screen: 'run',
        flags: [
          ...MODELS,
          'preset',
          'synthesizer',
          'open',
          'quorum',
          'patience',
          'seatTimeout',
          'vote',
          'predict',
          'baseline',
          'baselineModel',
          ...MATERIAL,
          'estimate',
          'detach',
          'queue',
          ...ENGINE,
          ...BEGIN,
        ],
        load: async () => (await import('./board/desk/convene.ts')).board,
      },
      home: async () => (await import('./board/desk/home.ts')).home,
      tool: async () => (await import('./board/desk/tool.ts')).tool,
      arm: async () => (await import('./board/desk/arm.ts')).arm,
    },
  ],
  [
    'rounds',
    {
      command: {
        usage: 'rounds [QUESTION]',
        summary: 'let four roles test each other in rounds until signals say stop',
        presets: 'casts',
        flags: [
          'cast',
          ...MODELS,
          'preset',
          'verifier',
          'rounds',
          'stress',
          'driftEvery',
          'stopAt',
          'respond',
          'control',
          'predict',
          ...MATERIAL,
          'synthesizer',
          'estimate',
          'detach',
          'queue',
          ...ENGINE,
          ...BEGIN,
        ],
        own: {
          predict: {
            description:
              'Draft N predictions after the synthesis, with a probability from each model (default 3, 0 with --rehearse; --no-predict: none)',
          },
        },
        load: async () => (await import('./rounds/desk/convene.ts')).rounds,
      },
      home: async () => (await import('./rounds/desk/home.ts')).home,
      tool: async () => (await import('./rounds/desk/tool.ts')).tool,
      arm: async () => (await import('./rounds/desk/arm.ts')).arm,
    },
  ],
  [
    'agent',
    {
      command: {
        usage: 'agent NAME|FILE [INPUT]',
        summary: 'run an agent, and the agents its file links to',
        flags: [
          'agents',
          'model',
          'effort',
          'file',
          'attach',
          'encoding',
          'allowPrivate',
          'look',
          'tools',
          'detach',
          'queue',
          ...ENGINE,
          ...BEGIN,
        ],
        own: { model: { description: 'Model for agents whose file names none' } },
        load: async () => (await import('./agents/desk/convene.ts')).agent,
      },
      home: async () => (await import('./agents/desk/home.ts')).home,
      tool: async () => (await import('./agents/desk/tool.ts')).tool,
      arm: async () => (await import('./agents/desk/arm.ts')).arm,
    },
  ],
  [
    'plan',
    {
      command: {
        usage: 'plan [TOPIC|FILE] | plan --write [RUN] | plan --apply FILE',
        summary: 'have specialists with their own documents debate a plan until it converges',
        presets: 'staffs',
        flags: [
          'preset',
          'callIn',
          'repo',
          'index',
          'embed',
          'rounds',
          'researchers',
          'gateTokens',
          ...MODELS,
          'synthesizer',
          'file',
          'attach',
          'encoding',
          'allowPrivate',
          'tools',
          'write',
          'apply',
          'watch',
          'branch',
          'push',
          'estimate',
          ...BEGIN,
        ],
        own: {
          preset: { description: "Use a preset staff instead of the project's specialists" },
          rounds: { description: 'Maximum rounds of debate, 1 to 3 (default 3)' },
          seat: {
            hint: 'ROLE=M',
            description: 'Model for one seat, chair and researcher included; repeatable',
          },
          model: { description: 'Use one model for every seat' },
          synthesizer: { description: 'Model of the chair, which writes the plan' },
          yes: { description: 'Write the files without asking; leave decisions for a person open' },
        },
        load: async () => (await import('./plan/desk/plan.ts')).plan,
      },
      home: async () => (await import('./plan/desk/home.ts')).home,
      finish: async () => (await import('./plan/desk/files.ts')).finishResumed,
    },
  ],
  [
    'team',
    {
      command: {
        usage: 'team [GOAL] | team show [TASK]',
        summary: 'have a tiered team work on a repository; commands check it, you bring it home',
        flags: [
          'repo',
          'run',
          'diff',
          'spec',
          'planOnly',
          'deliver',
          'forge',
          'provide',
          'setUp',
          'parallel',
          'runtime',
          'taskTimeout',
          'agents',
          ...MODELS,
          'file',
          'attach',
          'encoding',
          'allowPrivate',
          'estimate',
          ...BEGIN,
        ],
        own: {
          repo: { description: 'Repository to work on (default: the one you are in)' },
          seat: {
            hint: 'TIER=M',
            description:
              'Model for one tier, whatever its level: t1, t2-lead, t2, t3, t4, t5; repeatable',
          },
          model: { description: 'Use one model for every level' },
          agents: { description: 'Folder of agent files to pick specialists from' },
          yes: { description: 'Approve the plan unchanged, and bring the work home as a branch' },
        },
        load: async () => (await import('./team/desk/team.ts')).team,
      },
      home: async () => (await import('./team/desk/home.ts')).home,
    },
  ],
  [
    'debate',
    {
      command: {
        usage: 'debate [QUESTION]',
        summary:
          'debate by a method such as delphi, tradeoff or oxford, or by one that suits the question',
        flags: [
          'method',
          'set',
          ...MODELS,
          'predict',
          ...MATERIAL,
          'estimate',
          'detach',
          'queue',
          ...ENGINE,
          ...BEGIN,
        ],
        own: {
          set: { hint: 'NAME=VALUE', description: 'Change a setting of the method; repeatable' },
          seat: {
            hint: 'ROLE[=M]',
            description: 'Add a seat: seat, judge, or another role of the method; repeatable',
          },
          yes: { description: 'Accept the proposed method, options and groups without asking' },
        },
        load: async () => (await import('./debate/desk/convene.ts')).debate,
      },
      home: async () => (await import('./debate/desk/home.ts')).home,
      arm: async () => (await import('./debate/desk/arm.ts')).loadArm(),
    },
  ],
]);

/** The commands that belong to one protocol but start no run, such as `deliberate agents`, which lists agents. */
export const OTHER_COMMANDS: Readonly<Record<'agents' | 'test' | 'validate' | 'signals', Command>> =
  {
    agents: {
      usage: 'agents [check|new]',
      summary: 'list agents; check: find errors in their files and show how they link',
      flags: ['agents', 'to', 'json', 'quiet'],
      own: {
        to: { hint: 'project|user', description: 'new: where to write the file (default user)' },
        json: JSON_AT_ONCE,
      },
      notes: ['new NAME starts an agent from a commented template, in $VISUAL or $EDITOR.'],
      load: async () => (await import('./agents/desk/agents.ts')).agents,
    },
    test: {
      usage: 'test [RUN] [CLAIM --command "…"]',
      summary: 'test a claim with a command you approve; the result is kept as evidence',
      flags: [
        'command',
        'timeout',
        'cwd',
        'env',
        'confirmsOnSuccess',
        'refutesOnSuccess',
        'takeOver',
        'yes',
        'json',
        'quiet',
        ...FILES,
      ],
      own: { json: JSON_AT_ONCE, yes: { description: 'Run the command without asking' } },
      load: async () => (await import('./rounds/desk/test.ts')).test,
    },
    validate: {
      usage: 'validate [DIR|RUN]',
      summary: 'check the integrity of the records of a run in rounds',
      flags: ['json', ...FILES],
      own: { json: JSON_AT_ONCE },
      load: async () => (await import('./rounds/desk/records.ts')).validate,
    },
    signals: {
      usage: 'signals [DIR|RUN]',
      summary: 'print the six stopping signals and the eight failure modes',
      flags: ['explain', 'json', ...FILES],
      own: { json: JSON_AT_ONCE },
      load: async () => (await import('./rounds/desk/records.ts')).signals,
    },
  };

/** Returns the command that starts each protocol, by the protocol's name. */
export function protocolCommands(): Readonly<Record<string, Command>> {
  return Object.fromEntries([...DESKS].map(([name, { command }]) => [name, command]));
}

/** The descriptions of the protocols that coding agents may start, by the protocol's name. */
export type ToolParts = ReadonlyMap<string, ToolPart>;

/** Loads the home screen's part of every protocol that has one. */
export function loadHomeParts(): Promise<HomeParts> {
  return loadEach(({ home }) => home);
}

/** Loads the descriptions of all protocols that coding agents may start. */
export function loadToolParts(): Promise<ToolParts> {
  return loadEach(({ tool }) => tool);
}

/**
 * Does the last work on a run that was resumed: the work that the protocol's own command does when its run has
 * ended. For a plan, this is to offer or write the plan's files.
 * @param name the protocol's name
 * @param run the run's id
 * @param wasDone whether the run had ended before it was resumed
 * @returns the exit code, or undefined if nothing was to be done
 */
export async function finishResumedRun(
  name: string,
  call: Invocation,
  run: string,
  wasDone: boolean,
): Promise<number | undefined> {
  return (await DESKS.get(name)?.finish?.())?.(call, run, wasDone);
}

/**
 * Loads the description of one protocol for coding agents. Resolves to undefined if there is no such protocol,
 * or only people can start it.
 */
export async function loadToolPart(name: string): Promise<ToolPart | undefined> {
  return DESKS.get(name)?.tool?.();
}

async function loadEach<T>(
  partOf: (desk: Desk) => (() => Promise<T>) | undefined,
): Promise<ReadonlyMap<string, T>> {
  const there = [...DESKS].flatMap(([name, desk]) => {
    const load = partOf(desk);
    return load === undefined ? [] : [{ name, load }];
  });
  return new Map(
    await Promise.all(there.map(async ({ name, load }) => [name, await load()] as const)),
  );
}

/** The names of the protocols that an evaluation can compare, as written in `--arms`. */
export const ARM_KINDS: readonly string[] = [...DESKS].flatMap(([name, { arm }]) =>
  arm === undefined ? [] : [name],
);

/**
 * Loads the functions that choose the seats of a protocol's runs for an evaluation and read the runs' answers.
 * @param kind the protocol's name, as written in `--arms`
 * @throws UsageError if an evaluation cannot use that protocol
 */
export async function loadArmMaker(kind: string): Promise<ArmMaker> {
  const load = DESKS.get(kind)?.arm;
  if (load === undefined)
    throw new UsageError(`there is no arm ${kind}`, `The arms are ${ARM_KINDS.join(', ')}.`);
  return load();
}

/**
 * Loads the functions for the simplest way to answer in an evaluation: one call of one model, which
 * gets only the question.
 */
export async function loadSingleModelArm(): Promise<ArmMaker> {
  return (await import('./agents/desk/arm.ts')).singleModelArm;
}

/** Lists the names of all agent files, for shell completion. */
export async function listAgentNames(call: Invocation): Promise<string[]> {
  const { Catalog } = await import('./agents/files/catalog.ts');
  return Catalog.open(call).agents.map(({ id }) => id);
}

/**
 * Lists the presets of debate methods whose values their method does not accept, one line of text
 * for each problem.
 */
export async function listMethodPresetProblems(env: Invocation['env']): Promise<string[]> {
  return (await import('./debate/desk/values.ts')).findMethodPresetProblems(env);
}
