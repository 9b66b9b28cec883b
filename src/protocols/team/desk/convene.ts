/**
 * Starts a team on a repository: chooses models for its seats, what it may use, and where its work goes.
 */
import { randomInt } from 'node:crypto';
import type { Invocation } from '../../../app/invocation.ts';
import { beginInTerminal } from '../../../app/run/run-in-terminal.ts';
import { attachedLines, readAttachments } from '../../../app/settings/attachments.ts';
import { type Config, readConfig } from '../../../app/settings/config.ts';
import { modelsFor, REHEARSAL_MODEL } from '../../../app/settings/discovery.ts';
import { printRunEstimate } from '../../../app/settings/estimate.ts';
import { allowLookFolders } from '../../../app/settings/look-folders.ts';
import { parseSeatRequest } from '../../../app/settings/panel.ts';
import { openModels } from '../../../app/settings/providers.ts';
import { checkWindows } from '../../../app/settings/windows.ts';
import { workshopForRun } from '../../../app/settings/workshop.ts';
import { UsageError } from '../../../kernel/errors.ts';
import type { ModelSpec, Seat } from '../../../kernel/model.ts';
import { checkSpec } from '../../../kernel/providers/spec.ts';
import { estimateTokens } from '../../../kernel/tokens.ts';
import { describeMissingProtection } from '../../../platform/processes.ts';
import { toLine } from '../../../text/line.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { Catalog } from '../../agents/files/catalog.ts';
import { makeAttachedSetting } from '../../common/prompts/attached.ts';
import {
  DEFAULTS,
  LATEST,
  ROOT,
  SEATS,
  type SeatId,
  type Specialist,
  type TeamConfig,
  UNSANDBOXED_STEP,
} from '../config.ts';
import { estimateSeats } from '../estimate.ts';
import { LEVELS, type Level } from '../forms/plan.ts';
import { DOUBTS_HEADING } from '../plan-lines.ts';
import { doubtRows } from '../rules/spec.ts';
import type { RepositoryGoal } from './place.ts';
import { loadStaff, type Staff } from './staff.ts';

/** The most characters of a specialist's brief, which every prompt of its seat contains. */
const LONGEST_BRIEF = 8_000;
/** The most specialists; T1 reads a line about each. */
const MOST_SPECIALISTS = 80;

const TITLES: Readonly<Record<SeatId, string>> = {
  t1: 'T1 Planner',
  't2-lead': 'T2 Lead',
  t2: 'T2 Architect',
  t3: 'T3 Squad lead',
  t4: 'T4 Implementer',
  't5-1': 'T5 Verifier 1',
  't5-2': 'T5 Verifier 2',
};

const BRIEFS: Readonly<Record<SeatId, string>> = {
  t1: 'You plan work on a repository and accept it at the end. You keep to the goal in the words of the person who wants it, and to what stands in the repository. You plan as few tiers as the work needs: depth that is not needed is paid for first.',
  't2-lead':
    'You are the lead architect of a piece of work on a repository. You draw boundaries that do not overlap, say which assumptions all share, and decide between proposals by what the parts need of one another.',
  t2: 'You are the architect of one domain of a piece of work on a repository. You design within your boundary, and declare by name, file and signature what you offer others and what you need of them.',
  t3: 'You lead a squad. You cut its workstream into tasks that one person can finish without asking: few files, a brief that leaves nothing to guess, and an end that a command can show.',
  t4: 'You do one task in a repository with the tools that you are given. You read before you change, keep to the style that you find, change what the task names and nothing beside it, and say plainly what is not done.',
  't5-1':
    'You verify work that others did. You believe nothing that you have not read in the files or seen a command say. You quote the place that shows what you say, letter for letter.',
  't5-2':
    'You verify work that others did, looking for what is missing: the case that nobody tried, the caller that nobody changed, the promise that nobody tests. You quote the place that shows what you say, letter for letter.',
};

/**
 * Starts a team with the flags of a command, or only prints its estimate. Resolves to the exit code.
 */
export async function convene(call: Invocation, place: RepositoryGoal): Promise<number> {
  const { err, flags } = call;
  const { repository, goal, spec } = place;
  const config = readConfig(call);
  const attachments = await readAttachments(call);
  const models = openModels(call, config);
  const levels = await levelsOf(call, config, (places) => modelsFor(call, places, models));
  const chosen = chosenSeats(call);
  const staff = loadStaff(call.env);
  const tiers = Object.fromEntries(
    SEATS.map((id) => {
      const model = chosen.get(id);
      return [id, { level: staff.levels[id], ...withoutUndefined({ model }) }];
    }),
  ) as Record<SeatId, TeamConfig['tiers'][string]>;
  const seats = SEATS.map(
    (id): Seat => ({
      id,
      role: id,
      title: TITLES[id],
      brief: BRIEFS[id],
      model: tiers[id].model ?? levels[staff.levels[id]],
    }),
  );
  const look = [{ name: ROOT, path: repository }];
  const teamConfig: TeamConfig = {
    look,
    workshop: { root: ROOT },
    levels,
    tiers,
    specialists: specialistsFor(call, staff),
    runtime: runtimeOf(call, config),
    turns: DEFAULTS.turns,
    parallel: flags.parallel ?? DEFAULTS.parallel,
    verifiers: DEFAULTS.verifiers,
    ...LATEST,
    deliver: flags.deliver ?? 'branch',
    ...withoutUndefined({ forge: flags.forge }),
    author: config.team_author ?? 'person',
    provide: flags.provide,
    ...(flags.setUp === undefined ? {} : { setUp: wordsOf(flags.setUp) }),
    ...(flags.unsandboxed ? { unsandboxed: true as const } : {}),
    ...(flags.planOnly ? { planOnly: true as const } : {}),
    ...withoutUndefined({ spec }),
    seed: flags.seed ?? randomInt(2 ** 31),
    ...makeAttachedSetting(attachments),
  };
  if (!flags.quiet) err.write(attachedLines(attachments, estimateTokens(goal)));
  const planned = estimateSeats(goal, seats, teamConfig);
  if (await printRunEstimate(call, planned, models)) return 0;
  await checkWindows(call, 'a team', planned, models);
  if (!flags.quiet) err.write(`${toLine(`the team works on a copy of ${repository}`)}\n`);
  const doubts = doubtRows(spec);
  if (doubts.length > 0)
    err.write(`${[`${DOUBTS_HEADING}:`, ...doubts.map((row) => `  ${row}`)].join('\n')}\n`);
  const left = describeMissingProtection();
  if (left !== undefined) err.write(`${left}\n`);
  return beginInTerminal(
    {
      call,
      config,
      models,
      planned,
      place: (id) => workshopForRun(call, { id }, repository, models),
      // Store the permission to run checks without a sandbox outside of the run's journal. If the run is copied to
      // another computer, where nobody gave this permission, the permission must not be copied with it.
      named: (run, store) => {
        allowLookFolders(store, run, look);
        if (flags.unsandboxed)
          store.messages.leave(run, {
            kind: 'answer',
            step: UNSANDBOXED_STEP,
            value: 'yes',
            by: 'person',
          });
      },
    },
    'team',
    { question: goal, seats, config: teamConfig },
  );
}

/** Chooses the model of each capability level: from the settings, `--model`, or the models found. */
async function levelsOf(
  { flags }: Invocation,
  { model: configured, team_levels: set = {} }: Config,
  found: (places: { role: string; model?: string | undefined }[]) => Promise<ModelSpec[]>,
): Promise<Record<Level, ModelSpec>> {
  const general = flags.model ?? (flags.rehearse ? REHEARSAL_MODEL : undefined);
  const places = LEVELS.map((level) => ({
    role: level,
    model: general ?? set[level] ?? configured,
  }));
  const models = await found(places);
  // Use the first model that was found for each level that has none: the program cannot tell which of the
  // models found is the strongest.
  const [first] = models;
  return Object.fromEntries(
    places.map(({ role, model = first }) => {
      if (model === undefined) throw new Error(`no model for ${role}`);
      return [role, checkSpec(model)];
    }),
  ) as Record<Level, ModelSpec>;
}

/**
 * Parses `--seat t4=MODEL`, which overrides the seat's level.
 * @throws UsageError if there is no such seat
 */
function chosenSeats({ flags }: Invocation): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>();
  for (const text of flags.seat) {
    const { role, model } = parseSeatRequest(text);
    const ids = SEATS.filter((id) => id === role || (role === 't5' && id.startsWith('t5-')));
    if (ids.length === 0)
      throw new UsageError(
        `--seat ${text}: no such seat`,
        `The seats are ${[...SEATS, 't5'].sort().join(', ')}.`,
      );
    if (model === undefined)
      throw new UsageError(
        `--seat ${text}: name its model`,
        `Example: --seat ${role}=ollama/qwen3:8b`,
      );
    for (const id of ids) if (!flags.rehearse) chosen.set(id, checkSpec(model));
  }
  return chosen;
}

/** Returns the agents defined in files as specialists, those closest to the working folder first. */
function specialistsFor(call: Invocation, { tiersOf }: Staff): Specialist[] {
  return Catalog.open(call)
    .agents.filter(({ brief }) => brief.trim() !== '')
    .slice(0, MOST_SPECIALISTS)
    .map(({ id, name, description, brief }) => {
      const tiers = tiersOf.get(id) ?? [];
      const suits = tiers.length === 0 ? '' : ` For ${tiers.join(', ')}.`;
      return {
        slug: id,
        name,
        tiers: [...tiers],
        about: `${toLine(description ?? '').slice(0, 200)}${suits}`,
        brief: brief.slice(0, LONGEST_BRIEF),
      };
    });
}

/**
 * Returns who does T4's work by the flag `--runtime`.
 * @throws UsageError if a program is wanted and the settings name none
 */
function runtimeOf({ flags }: Invocation, config: Config): TeamConfig['runtime'] {
  const kind = flags.runtime ?? 'standard';
  if (kind === 'standard' || flags.rehearse) return { kind: 'standard' };
  const { team_agent: argv } = config;
  if (argv === undefined)
    throw new UsageError(
      `--runtime ${kind} needs a coding agent`,
      'Set team_agent in your configuration: team_agent: [my-agent, --print, "{brief}"]',
    );
  return { kind, argv: [...argv], timeoutS: flags.taskTimeout / 1_000 };
}

/**
 * Splits a command at spaces, since no shell runs it.
 * @throws UsageError if the command contains quotes or other characters of a shell
 */
function wordsOf(command: string): string[] {
  if (/["'`$\\|;&<>]/.test(command))
    throw new UsageError(
      `--set-up ${command}: commands run without a shell`,
      'Use a plain command such as --set-up "npm ci", or put it into a script.',
    );
  return command.split(/\s+/).filter((word) => word !== '');
}
