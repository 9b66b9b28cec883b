/**
 * The rounds. All seats speak once, side by side; whoever looks for conflicts must have found the one that
 * code planted. From the second round on only those whose statements are in question are asked.
 */
import { CHAIR, TIME_LIMITS } from '../config.ts';
import { type Conflict, seatsIn } from '../debate/conflicts.ts';
import { mix, plant, sawPlant } from '../debate/control.ts';
import type { Answer } from '../debate/settle.ts';
import { live } from '../debate/statements.ts';
import { type FactBody, fact } from '../facts.ts';
import { isExamined, standingsOf } from '../fold.ts';
import type { PlanRun } from '../plan-run.ts';
import {
  answersMessages,
  answersSchema,
  conflictsMessages,
  conflictsSchema,
  firstMessages,
  firstSchema,
} from '../prompts/debate.ts';
import type { Gated } from './gate.ts';

type Gates = ReadonlyMap<string, Gated>;

export async function debate(plan: PlanRun, seats: readonly string[], gates: Gates): Promise<void> {
  await speakFirst(plan, seats, gates);
  await examine(plan, 1);
  for (let round = 2; round <= plan.config.rounds; round += 1) {
    const open = openNow(plan);
    if (open.length === 0) return;
    await answerAll(plan, round, open, gates);
    await examine(plan, round);
  }
}

/** Those that another round could settle: what waits for the person does not. */
function openNow({ view }: PlanRun): Conflict[] {
  const open = new Set(
    standingsOf(view).flatMap(({ conflict, state }) => (state === 'open' ? [conflict] : [])),
  );
  return view.conflicts.filter(({ id }) => open.has(id));
}

async function speakFirst(plan: PlanRun, seats: readonly string[], gates: Gates): Promise<void> {
  const { topic, config } = plan;
  const facts = await Promise.all(
    seats.map(async (role): Promise<FactBody> => {
      const { shown = [], notKnown = [] } = gates.get(role) ?? {};
      const said = await plan.ask(
        `round-1/${role}`,
        {
          task: 'plan/speak',
          about: { question: topic, round: 1, items: plan.clustersOf(role) },
          seat: plan.seat(role),
          messages: firstMessages(topic, shown, notKnown, config.seed),
          schema: firstSchema,
        },
        (value) => firstSchema.safeParse(value).data,
        { timeoutMs: TIME_LIMITS.specialist },
      );
      if ('why' in said) return fact('seat.unheard', { role, round: 1, why: said.why });
      const add = said.value.statements.map(tidy);
      return fact('statements.made', { role, round: 1, add, change: [], withdraw: [] });
    }),
  );
  await plan.record('round-1/said', seats, facts);
}

/** By the chair; by another model where the chair has not seen what was planted. */
async function examine(plan: PlanRun, round: number): Promise<void> {
  const { view } = plan;
  if (live(view.statements).length < 2) return;
  const chair = plan.seat(CHAIR);
  const others = plan.roles.filter(({ model }) => model !== chair.model);
  for (const [index, { model }] of [chair, ...others.slice(0, 1)].entries()) {
    if (index > 0 && isExamined(plan.view, round)) return;
    await examineOnce(plan, round, index + 1, model);
  }
  // Where there is no other model the same one is asked once more, with another control.
  if (others.length === 0 && !isExamined(plan.view, round))
    await examineOnce(plan, round, 2, chair.model);
}

async function examineOnce(
  plan: PlanRun,
  round: number,
  attempt: number,
  model: string,
): Promise<void> {
  const { topic, config, view } = plan;
  const purpose = `round-${round}/examine-${attempt}`;
  const control = plant(view.statements, config.seed, purpose);
  const shown =
    control === undefined
      ? live(view.statements)
      : mix(view.statements, control, config.seed, purpose);
  const ids = shown.map(({ id }) => id);
  const schema = conflictsSchema(ids);
  const asked = await plan.ask(
    purpose,
    {
      task: 'plan/conflicts',
      about: {
        question: topic,
        round,
        turn: attempt,
        items: shown.map(({ id, text }) => `${id}: ${text}`),
      },
      seat: { ...plan.seat(CHAIR), model },
      messages: conflictsMessages(topic, shown, view.conflicts, config.seed),
      schema,
    },
    (value) => schema.safeParse(value).data,
  );
  const found = 'why' in asked ? [] : asked.value.conflicts;
  const seen = control !== undefined && 'value' in asked && sawPlant(found, control, shown.length);
  await plan.record(`${purpose}/found`, attempt, [
    fact('conflicts.examined', {
      round,
      model,
      found,
      ...(control === undefined
        ? {}
        : {
            control: {
              planted: control.statement.id,
              of: control.of,
              text: control.statement.text,
              seen,
            },
          }),
    }),
  ]);
}

/** Only seats concerned, each for its own questions; the others are not asked and stand as they are. */
async function answerAll(
  plan: PlanRun,
  round: number,
  open: readonly Conflict[],
  gates: Gates,
): Promise<void> {
  const { statements } = plan.view;
  const concerned = plan.roles.filter(({ id }) =>
    open.some((conflict) => seatsIn(conflict, statements).includes(id)),
  );
  const facts = await Promise.all(
    concerned.map(({ id }) => answerOne(plan, round, id, open, gates)),
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
  gates: Gates,
): Promise<FactBody[]> {
  const { topic, config, view } = plan;
  const { shown = [], notKnown = [] } = gates.get(role) ?? {};
  const conflicts = open.filter((one) => seatsIn(one, view.statements).includes(role));
  const options = [...new Set(conflicts.flatMap((one) => one.options))];
  const own = live(view.statements).filter((one) => one.role === role);
  const ofOthers = view.statements.filter((one) => options.includes(one.id) && one.role !== role);
  const schema = answersSchema(
    conflicts.map(({ id }) => id),
    options,
    own.map(({ id }) => id),
  );
  const said = await plan.ask(
    `round-${round}/${role}`,
    {
      task: 'plan/answer',
      about: {
        question: topic,
        round,
        items: conflicts.map(({ id, options: all }) => `${id}: ${all.join(', ')}`),
      },
      seat: plan.seat(role),
      messages: answersMessages(
        topic,
        { shown, notKnown, conflicts, statements: ofOthers, own },
        config.seed,
      ),
      schema,
    },
    (value) => schema.safeParse(value).data,
    { timeoutMs: TIME_LIMITS.specialist },
  );
  if ('why' in said) return [fact('seat.unheard', { role, round, why: said.why })];
  const { answers, change, withdraw, add } = said.value;
  const known = new Set(conflicts.map(({ id }) => id));
  return [
    fact('conflicts.answered', {
      role,
      round,
      answers: answers
        .filter(({ conflict }) => known.has(conflict))
        .map(
          ({ conflict, says, accepts, prefers, why }): Answer =>
            says === 'compatible'
              ? { conflict, compatible: why }
              : { conflict, accepts, why, ...(prefers === '' ? {} : { prefers }) },
        ) as never,
    }),
    fact('statements.made', {
      role,
      round,
      add: add.map(tidy),
      change,
      withdraw: withdraw.map(({ id, why, conflict }) => ({
        id,
        why,
        ...(known.has(conflict) ? { conflict } : {}),
      })),
    }),
  ];
}

/** Without what was left empty. */
function tidy({
  kind,
  title,
  text,
  must,
  because,
}: {
  kind: 'section' | 'constraint' | 'concern';
  title: string;
  text: string;
  must: boolean;
  because: string;
}) {
  return {
    kind,
    text,
    ...(title.trim() === '' ? {} : { title }),
    // Only a constraint can be one: a section that everybody must follow is no argument.
    ...(must && kind === 'constraint' ? { must } : {}),
    ...(because.trim() === '' ? {} : { because }),
  };
}
