/**
 * Starts a plan: updates the index of documents, finds who can be called in, and offers the resulting
 * files.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Invocation } from '../../../app/invocation.ts';
import { embeddersOf } from '../../../app/knowledge.ts';
import { hasPerson } from '../../../app/run/display.ts';
import { beginInTerminal } from '../../../app/run/run-in-terminal.ts';
import { attachedLines, readAttachments } from '../../../app/settings/attachments.ts';
import { type Config, readConfig } from '../../../app/settings/config.ts';
import { modelsFor, REHEARSAL_MODEL } from '../../../app/settings/discovery.ts';
import { withDocuments } from '../../../app/settings/documents.ts';
import { printRunEstimate } from '../../../app/settings/estimate.ts';
import { completePlaces } from '../../../app/settings/model-names.ts';
import { parseSeatRequest } from '../../../app/settings/panel.ts';
import { openModels } from '../../../app/settings/providers.ts';
import { openRunTools } from '../../../app/settings/run-tools.ts';
import { checkWindows } from '../../../app/settings/windows.ts';
import type { Card } from '../../../io/cards.ts';
import { databaseFile } from '../../../io/files.ts';
import { findStatus } from '../../../io/text-file.ts';
import { UsageError } from '../../../kernel/errors.ts';
import type { Seat } from '../../../kernel/model.ts';
import { checkSpec } from '../../../kernel/providers/spec.ts';
import { estimateTokens } from '../../../kernel/tokens.ts';
import { MAIN, openKnowledge } from '../../../knowledge/knowledge.ts';
import type { ModelGateway } from '../../../models/gateway.ts';
import { realPathOf } from '../../../platform/real-path.ts';
import { toLine } from '../../../text/line.ts';
import { formatCount } from '../../../text/numbers.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { openTools } from '../../../tools/tools.ts';
import { makeAttachedSetting } from '../../common/prompts/attached.ts';
import { CHAIR, DEFAULTS, LATEST, type PlanConfig, RESEARCHER, ROOT } from '../config.ts';
import { planPlan } from '../estimate.ts';
import { offerFiles } from './files.ts';
import { keptStaffing } from './kept-status.ts';
import { commitOf, type PlanTarget } from './place.ts';
import { findStaff, type Member, membersOf, type Staff } from './staff.ts';

/** The name of the index of the built-in example. */
const EXAMPLE_INDEX = 'example';
const MOST_ROUNDS = 3;

/** The instructions that the chair and the researcher get in every call, by seat. */
export const BRIEFS = {
  [CHAIR]:
    'You chair a planning board of specialists. You alone see what all of them said. You decide nothing: you find what has to be asked, where two things cannot both be done, and how the plan is written so that nothing anybody said is lost.',
  [RESEARCHER]:
    'You look things up in a repository for people who have to plan. You report what stands there and where, in plain sentences, and nothing that you only suppose.',
} as const;

/**
 * Runs a plan and, if it ends with exit code 0, offers to write its files; nothing is written for the built-in
 * example. With `--estimate`, prints what the plan may cost instead. Either way, the index of documents is updated
 * first. Resolves to the exit code.
 */
export async function convene(call: Invocation, place: PlanTarget): Promise<number> {
  const { env, err, flags } = call;
  const { repository, topic, isExample } = place;
  const config = readConfig(call);
  const attachments = await readAttachments(call);
  const staff = findStaff(call, repository);
  const index = flags.index ?? (isExample ? EXAMPLE_INDEX : MAIN);
  const cards = await updateDocuments(call, place, staff, index);
  const members = membersOf(call, staff, cards);
  const models = openModels(call, config);
  const seats = await seatMembers(call, members, config, models);
  // The example lies in this program's own repository or in none, so no commit is recorded for it.
  const commit = isExample ? undefined : await commitOf(repository, env);
  if (commit === undefined && !isExample && !flags.quiet)
    err.write('no commit recorded: not a git repository, or git is not installed\n');
  const staffing = keptStaffing(repository, topic);
  const look = [{ name: ROOT, path: repository }];
  const planConfig: PlanConfig = {
    roles: Object.fromEntries(
      members.map(({ specialist: { slug }, clusters, called }) => [
        slug,
        { clusters: [...clusters], ...(called ? { called } : {}) },
      ]),
    ),
    cards: cards.map(({ name, line: about, words }) => ({
      name,
      line: about,
      ...(words === undefined ? {} : { words: [...words] }),
    })),
    rounds: roundsOf(flags.rounds),
    gateTokens: flags.gateTokens ?? DEFAULTS.gateTokens,
    researchers: flags.researchers ?? DEFAULTS.researchers,
    ...withoutUndefined({ commit }),
    seed: flags.seed ?? randomInt(2 ** 31),
    ...LATEST,
    look,
    documents: { root: ROOT, index },
    person: hasPerson(call) && !flags.yes,
    ...(flags.yes ? { accept: true as const } : {}),
    ...withoutUndefined({ staffing }),
    output: {
      slug: topic.slug,
      topics: 'docs/planning',
      specs: config.plan_specs ?? 'docs/roadmap',
      fixes: config.plan_fixes ?? 'docs/fixes',
      research: 'docs/context/research',
      ...withoutUndefined({ topic: topic.path }),
    },
    ...makeAttachedSetting(attachments),
  };
  if (!flags.quiet) err.write(attachedLines(attachments, estimateTokens(topic.text)));
  const planned = planPlan(topic.text, seats, planConfig);
  if (await printRunEstimate(call, planned, models)) return 0;
  await checkWindows(call, 'a plan', planned, models);
  const tools = withDocuments(
    openTools(look, { env, conceal: models.conceal }),
    look,
    { root: ROOT, index },
    { env, database: databaseFile(call), embedders: embeddersOf(call) },
  );
  const toolsOfRun = await openRunTools(call, models, { look, tools });
  let run: string | undefined;
  const code = await beginInTerminal(
    { call, config, models, toolsOfRun, planned, named: (id) => (run = id) },
    'plan',
    { question: topic.text, seats, config: { ...planConfig, ...toolsOfRun.settings } },
  );
  if (code !== 0 || run === undefined || isExample) return code;
  return offerFiles(call, repository, run);
}

/**
 * Indexes documents that have changed. Resolves to the cards of the project, or those of the staff if the
 * project has none.
 * @throws UsageError if there are no cards
 */
async function updateDocuments(
  call: Invocation,
  { repository, topic }: PlanTarget,
  staff: Staff,
  index: string,
): Promise<readonly Card[]> {
  const { err, flags } = call;
  const knowledge = openKnowledge(databaseFile(call), repository, {
    ...embeddersOf(call),
    name: index,
    create: true,
  });

  try {
    const isNew = knowledge.summary().roots.length === 0;
    const docs = join(repository, 'docs');
    const paths = isNew && findStatus(docs)?.isDirectory() ? [realPathOf(docs)] : [];
    const except = topic.path === undefined ? [] : [topic.path];
    const update = knowledge.update({ paths, otherCards: staff.cards, except });
    for (const root of update.vanished)
      err.write(`${toLine(`${root} is gone: its documents stay in the index`)}\n`);
    const embedded = await knowledge.embedNew({ signal: new AbortController().signal });
    if (typeof embedded === 'string') err.write(`${toLine(embedded)}: keyword search only\n`);
    else if (embedded === undefined && knowledge.tellOnce() && !flags.quiet)
      err.write('No embedding model: keyword search only (--embed).\n');
    const { documents, chunks } = knowledge.summary();
    if (!flags.quiet)
      err.write(
        documents === 0
          ? 'no documents indexed, so everything is researched in the code. Index some: deliberate context add docs\n'
          : `documents: ${formatCount(documents, 'document')}, ${formatCount(chunks, 'section')}\n`,
      );
    const cards = knowledge.cards();
    if (cards.length === 0)
      throw new UsageError(
        'this project has no clusters',
        'List them in .deliberate/clusters.yaml, or name a staff that brings its own: --preset software-product',
      );
    return cards;
  } finally {
    knowledge.close();
  }
}

/**
 * Gives each specialist, the chair and the researcher a model.
 * @throws UsageError if `--seat` names an unknown seat
 */
async function seatMembers(
  call: Invocation,
  members: readonly Member[],
  { model: configured, synthesizer }: Pick<Config, 'model' | 'synthesizer'>,
  gateway: ModelGateway,
): Promise<Seat[]> {
  const { flags } = call;
  const chosen = new Map(
    (flags.rehearse ? [] : flags.seat).map((text) => {
      const { role, model } = parseSeatRequest(text);
      return [role, model] as const;
    }),
  );
  const known = [...members.map(({ specialist }) => specialist.slug), CHAIR, RESEARCHER];
  const stranger = [...chosen.keys()].find((role) => !known.includes(role));
  if (stranger !== undefined)
    throw new UsageError(`--seat ${stranger}: no such seat`, `The seats are ${known.join(', ')}.`);
  const general = flags.model ?? (flags.rehearse ? REHEARSAL_MODEL : configured);
  const open = [
    ...members.map(({ specialist: { slug, model, name, brief, colour, temperature, effort } }) => ({
      seat: {
        id: slug,
        role: slug,
        title: name,
        brief,
        ...(colour ? { colour } : {}),
        ...withoutUndefined({ temperature, effort }),
      },
      model:
        chosen.get(slug) ?? flags.model ?? (flags.rehearse ? REHEARSAL_MODEL : model) ?? general,
    })),
    ...([CHAIR, RESEARCHER] as const).map((id) => ({
      seat: { id, role: id, title: id === CHAIR ? 'Chair' : 'Researcher', brief: BRIEFS[id] },
      model:
        chosen.get(id) ?? (id === CHAIR && !flags.rehearse ? synthesizer : undefined) ?? general,
    })),
  ];
  const places = await completePlaces(call, open, gateway);
  const models = await modelsFor(
    call,
    places.map(({ seat, model }) => ({ role: seat.role, model })),
    gateway,
  );
  let turn = 0;
  return places.map(({ seat, model }): Seat => {
    const modelSpec = model ?? models[turn++ % models.length];
    if (modelSpec === undefined) throw new Error(`no model for ${seat.id}`);
    return { ...seat, model: checkSpec(modelSpec) };
  });
}

function roundsOf(given: string | number | undefined): number {
  if (given === undefined) return DEFAULTS.rounds;
  const count = Number(given);
  if (!Number.isInteger(count) || count < 1 || count > MOST_ROUNDS)
    throw new UsageError(`--rounds ${given}: expected 1 to ${MOST_ROUNDS}`);
  return count;
}
