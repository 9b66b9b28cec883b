/**
 * Holds the rounds of a plan. In the first round all seats make statements at the same time, and a reader
 * looks for conflicts, who must also find a planted one. Later rounds ask only the seats whose statements
 * are in a conflict.
 */
import { CHAIR, editionOf, TIME_LIMITS } from '../config.ts';
import { type FactBody, fact } from '../facts.ts';
import { isExamined, takeFound } from '../fold.ts';
import type { PlanRun } from '../plan-run.ts';
import { NO_CONTEXT, type ShownContext } from '../prompts/opening.ts';
import {
  type Answers,
  answersMessages,
  answersSchema,
  conflictsMessages,
  conflictsSchema,
  type HandedInStatement,
  makeStatementsMessages,
  repeatsTask,
  type SaidSoFar,
  statementsSchema,
} from '../prompts/rounds.ts';
import { type Conflict, listNamedStatements, listSeatsInConflict } from '../rules/conflicts.ts';
import { withoutContradicting } from '../rules/contradicting.ts';
import {
  hasFoundPlant,
  type IdSwap,
  makePlant,
  mixWithPlant,
  swapIds,
  swapPlanted,
} from '../rules/control.ts';
import { type Answer, collectLastAnswers } from '../rules/settle.ts';
import { findLiveStatements, type Statement } from '../rules/statements.ts';
import { deriveStandings } from '../standings.ts';
import type { GatedSections } from './context-gate.ts';
import { type PlantedStatement, plantControl } from './plant-control.ts';
import { rereadAll } from './reread.ts';

type GatedBySeat = ReadonlyMap<string, GatedSections>;

/**
 * Holds rounds until no question is open that another round could settle, but at most as many as the settings allow.
 * @param gated what each seat is shown of the documents, by the seat's id
 */
export async function holdRounds(
  plan: PlanRun,
  seats: readonly string[],
  gated: GatedBySeat,
): Promise<void> {
  await speakFirst(plan, seats, gated);
  await findConflicts(plan, 1);
  for (let round = 2; round <= plan.config.rounds; round += 1) {
    const open = openNow(plan);
    if (open.length === 0) return;
    const before = liveTexts(plan);
    await answerAll(plan, round, open, gated);
    await rereadAll(plan, round);
    if (needsExamination(before, plan)) await findConflicts(plan, round);
  }
}

/** Returns the id and text of each live statement, as JSON. */
function liveTexts({ view }: PlanRun): string[] {
  return findLiveStatements(view.statements).map(({ id, text }) => JSON.stringify([id, text]));
}

/**
 * Returns whether conflicts have to be searched for again: whether a statement is new or reworded since
 * `before`. Before edition 4 of the rules a withdrawn statement is a reason as well.
 */
function needsExamination(before: readonly string[], plan: PlanRun): boolean {
  const now = liveTexts(plan);
  return editionOf(plan.config) < 4
    ? now.join() !== before.join()
    : now.some((text) => !before.includes(text));
}

/** Returns the questions that another round could settle, without those that wait for the person. */
function openNow({ view }: PlanRun): Conflict[] {
  const open = new Set(
    deriveStandings(view).flatMap(({ conflict, state }) => (state === 'open' ? [conflict] : [])),
  );
  return view.conflicts.filter(
    ({ id, options }) => open.has(id) && options.some((option) => isLive(view.statements, option)),
  );
}

function isLive(statements: readonly Statement[], id: string): boolean {
  return statements.some((statement) => statement.id === id && statement.state === 'live');
}

function contextOf({ config }: PlanRun, role: string, gated: GatedBySeat): ShownContext {
  const context = gated.get(role) ?? NO_CONTEXT;
  return config.attachments === undefined ? context : { ...context, isBesideAttached: true };
}

async function speakFirst(
  plan: PlanRun,
  seats: readonly string[],
  gated: GatedBySeat,
): Promise<void> {
  const { topic, config } = plan;
  const facts = await Promise.all(
    seats.map(async (role): Promise<FactBody> => {
      const context = contextOf(plan, role, gated);
      const said = await plan.ask(`round-1/${role}`, {
        task: 'plan/speak',
        seat: role,
        about: {
          round: 1,
          items: plan.clustersOf(role),
          heard: context.shown.map(({ path, text }) => ({ from: path, text })),
        },
        isShownAttached: true,
        messages: makeStatementsMessages(topic, context, config.seed, editionOf(config)),
        schema: statementsSchema,
        timeoutMs: TIME_LIMITS.specialist,
      });
      if ('why' in said) return fact('seat.unheard', { role, round: 1, why: said.why });
      const add = said.value.statements.map(tidyStatement);
      return fact('statements.made', { role, round: 1, add, change: [], withdraw: [] });
    }),
  );
  await plan.record('round-1/said', seats, facts);
}

/**
 * Asks the chair's model for conflicts between statements. Unless it finds a contradiction planted to test it, asks
 * again: another model if there is one. Records the findings. Does nothing if fewer than two statements stand.
 * @param phase the prefix of the recorded steps
 */
export async function findConflicts(
  plan: PlanRun,
  round: number,
  phase = `round-${round}`,
): Promise<void> {
  if (findLiveStatements(plan.view.statements).length < 2) return;
  const chair = plan.seat(CHAIR, `${phase}/examine-1`).model;
  const other = plan.roles.find(({ model }) => model !== chair)?.model;
  for (const [index, model] of [chair, other ?? chair].entries()) {
    await examineOnce(plan, round, index + 1, model, phase);
    if (isExamined(plan.view, round)) return;
  }
}

async function examineOnce(
  plan: PlanRun,
  round: number,
  attempt: number,
  model: string,
  phase: string,
): Promise<void> {
  const { topic, config, view } = plan;
  const edition = editionOf(config);
  const key = `${phase}/examine-${attempt}`;
  const named =
    edition < 3
      ? []
      : view.conflicts.flatMap(({ options, given }) =>
          listNamedStatements({ statements: options, given }),
        );
  const planted =
    edition < 3
      ? plantedByCode(plan, key, named)
      : await plantControl(plan, key, view.statements, model, new Set(named));
  const control = planted?.control;
  const known = edition < 3 ? view.conflicts : confirmedIn(plan);
  const swap: IdSwap =
    control === undefined || edition < 6
      ? (id) => id
      : swapPlanted(view.statements, control, new Set(named), config.seed, key);
  const mixed =
    control === undefined
      ? findLiveStatements(view.statements)
      : mixWithPlant(view.statements, control, config.seed, key);
  const shown = mixed.map((statement) => ({ ...statement, id: swap(statement.id) }));
  const asked = await plan.ask(key, {
    task: 'plan/conflicts',
    seat: CHAIR,
    model,
    about: { round, turn: attempt, heard: shown.map(({ id, text }) => ({ from: id, text })) },
    messages: conflictsMessages(topic, shown, known, config.seed, edition),
    schema: conflictsSchema(
      shown.map(({ id }) => id),
      edition,
    ),
  });
  const found =
    'why' in asked ? [] : asked.value.conflicts.map((conflict) => swapIds(conflict, swap));
  const seen =
    control !== undefined && 'value' in asked && hasFoundPlant(found, control, shown.length);
  const held =
    control === undefined
      ? {}
      : {
          control: {
            planted: control.statement.id,
            of: control.of,
            text: control.statement.text,
            seen,
            ...(swap(control.statement.id) === control.statement.id
              ? {}
              : { shownAs: swap(control.statement.id) }),
            ...(planted?.by === undefined ? {} : { by: planted.by }),
          },
        };
  const looked = { round, found, ...held };
  await plan.record(`${key}-found`, attempt, [
    fact('conflicts.examined', {
      model,
      ...(edition >= 3 && isAlone(plan) ? { isAlone: true as const } : {}),
      ...looked,
      ...takeFound(view, looked),
      ...('why' in asked ? { why: asked.why } : {}),
    }),
  ]);
}

function plantedByCode(
  { view, config }: PlanRun,
  key: string,
  avoided: readonly string[],
): PlantedStatement | undefined {
  const control = makePlant(view.statements, config.seed, key, new Set(avoided));
  return control === undefined ? undefined : { control };
}

/** Returns whether one model plays the chair and every seat, so that it examines its own statements. */
function isAlone(plan: PlanRun): boolean {
  const chair = plan.seat(CHAIR, 'round-1/examine-1').model;
  return plan.roles.every(({ model }) => model === chair);
}

/**
 * Returns the conflicts that a reader need not name again: confirmed ones that were not found to be
 * misread.
 */
function confirmedIn({ view }: PlanRun): Conflict[] {
  const misread = new Set(
    view.reread.flatMap((rereading) => (rereading.isMisread ? [rereading.conflict] : [])),
  );
  return view.conflicts
    .filter(({ id, unconfirmed }) => unconfirmed !== true && !misread.has(id))
    .map((conflict) => ({
      ...conflict,
      options: conflict.options.filter((id) => isLive(view.statements, id)),
    }));
}

/**
 * Asks the seats whose statements are in open questions, each about its own questions. The statements of
 * other seats stay as they are.
 */
async function answerAll(
  plan: PlanRun,
  round: number,
  open: readonly Conflict[],
  gated: GatedBySeat,
): Promise<void> {
  const { statements } = plan.view;
  const concerned = plan.roles.filter(({ id }) =>
    open.some((conflict) => listSeatsInConflict(conflict, statements).includes(id)),
  );
  const facts = await Promise.all(
    concerned.map(({ id }) => answerOne(plan, round, id, open, gated)),
  );
  await plan.record(
    `round-${round}/said`,
    open.map(({ id }) => id),
    facts.flat(),
  );
}

async function answerOne(
  plan: PlanRun,
  round: number,
  role: string,
  open: readonly Conflict[],
  gated: GatedBySeat,
): Promise<FactBody[]> {
  const { topic, config, view } = plan;
  const conflicts = open.filter((conflict) =>
    listSeatsInConflict(conflict, view.statements).includes(role),
  );
  const standing = findLiveStatements(view.statements);
  const options = standing.filter(({ id }) =>
    conflicts.some((conflict) => conflict.options.includes(id)),
  );
  const own = standing.filter((statement) => statement.role === role);
  const given = standing.filter(
    (statement) =>
      !own.includes(statement) &&
      !options.includes(statement) &&
      conflicts.some((conflict) => conflict.given?.includes(statement.id)),
  );
  const told = [...own, ...options, ...given];
  const said = await plan.ask(`round-${round}/${role}`, {
    task: 'plan/answer',
    seat: role,
    about: {
      round,
      items: conflicts.map(
        (conflict) => `${conflict.id}: ${optionsIn(conflict, options).join(', ')}`,
      ),
      heard: options.map(({ id, text }) => ({ from: id, text })),
    },
    isShownAttached: true,
    messages: answersMessages(
      topic,
      {
        context: contextOf(plan, role, gated),
        conflicts: conflicts.map((conflict) => ({
          ...conflict,
          options: optionsIn(conflict, options),
          given: conflict.given?.filter((id) => told.some((known) => known.id === id)),
        })),
        statements: options.filter((option) => option.role !== role),
        given,
        others: standing.filter((statement) => !told.includes(statement)),
        own,
        said: answersSoFar(plan, conflicts),
        round,
        rounds: config.rounds,
      },
      config.seed,
      editionOf(config),
    ),
    schema: answersSchema(
      conflicts.map(({ id }) => id),
      options.map(({ id }) => id),
      own.map(({ id }) => id),
      editionOf(config),
    ),
    timeoutMs: TIME_LIMITS.specialist,
  });
  if ('why' in said) return [fact('seat.unheard', { role, round, why: said.why })];
  const { answers, change, withdraw, add } = said.value;
  const known = new Map(conflicts.map((conflict) => [conflict.id, conflict]));
  return [
    fact('conflicts.answered', {
      role,
      round,
      answers: withoutContradicting(answers).flatMap((answer) => {
        const conflict = known.get(answer.conflict);
        return conflict === undefined ? [] : [answerOf(answer, conflict)];
      }),
    }),
    fact('statements.made', {
      role,
      round,
      add: add.map((statement) => ({
        ...tidyStatement(statement),
        ...(known.has(statement.conflict) ? { conflict: statement.conflict } : {}),
      })),
      change: change.map(({ because, ...rest }) => ({
        ...rest,
        ...(because.trim() === '' ? {} : { because }),
      })),
      withdraw: withdraw.map(({ id, why, conflict }) => ({
        id,
        why,
        ...(known.has(conflict) ? { conflict } : {}),
      })),
    }),
  ];
}

/** Returns the latest answer of each seat to each of these questions. */
function answersSoFar({ view }: PlanRun, conflicts: readonly Conflict[]): SaidSoFar[] {
  const last = collectLastAnswers(view.answers);
  return conflicts.flatMap(({ id }) =>
    [...last].flatMap(([role, answers]) => {
      const answer = answers.get(id)?.answer;
      return answer === undefined ? [] : [{ role, answer }];
    }),
  );
}

function optionsIn({ options }: Conflict, standing: readonly Statement[]): string[] {
  return options.filter((id) => standing.some((statement) => statement.id === id));
}

function answerOf(
  { conflict, says, accepts: named, prefers, why }: Answers['answers'][number],
  { given = [] }: Conflict,
): Answer {
  if (says === 'compatible') return { conflict, compatible: why };
  if (says === 'misread') return { conflict, misread: why };
  // A statement that the question rests on (`given`) is no option, so accepting it says nothing.
  const accepts = named.filter((id) => !given.includes(id));
  return { conflict, accepts, why, ...(prefers === '' ? {} : { prefers }) };
}

/** Drops the empty fields of a statement, and a ground that repeats the prompt. */
function tidyStatement({ kind, title, text, must, because }: HandedInStatement) {
  return {
    kind,
    text,
    ...(title.trim() === '' ? {} : { title }),
    // Only a constraint can be a must, which its seat insists on; the flag is ignored for other
    // statements.
    ...(must && kind === 'constraint' ? { must } : {}),
    ...(because.trim() === '' || repeatsTask(because) ? {} : { because }),
  };
}
