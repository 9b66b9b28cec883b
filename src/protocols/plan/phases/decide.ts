/**
 * Decides questions: by code if all seats concerned accept the same option, otherwise by the person. Before
 * a must is given up, its seat is asked once more, alone, because it may have given in to the others.
 */
import { editionOf } from '../config.ts';
import { fact } from '../facts.ts';
import type { PlanRun } from '../plan-run.ts';
import { mustMessages, mustSchema } from '../prompts/must.ts';
import { type Conflict, listSeatsInConflict } from '../rules/conflicts.ts';
import type { QuestionStanding } from '../rules/settle.ts';
import { findLiveStatements, type Statement } from '../rules/statements.ts';
import { deriveStandings } from '../standings.ts';
import { askPerson } from './person-gate.ts';

/** How often a question is put to the person, because a later choice may open it again. */
const TURNS = 3;

/**
 * Decides the questions that are still unanswered after the rounds, in the order in which they were found:
 * records what seats agreed on, and asks the person about the others. Without a person, those stay open.
 */
export async function decideQuestions(plan: PlanRun): Promise<void> {
  // First record the options on which all seats agree. Leave out an option that also belongs to another open
  // question, because the decision of the other question may withdraw this option.
  await takeAgreed(plan, 'decide/agreed', (option) => !isInQuestion(plan, option));
  // After each decision, look for the next question anew: new questions may have been found, or decided ones
  // opened again.
  const passed = new Map<string, number>();
  const left = new Set<string>();
  for (;;) {
    const next = deriveStandings(plan.view).find(
      ({ conflict }) => !passed.has(conflict) || left.has(conflict),
    );
    if (next === undefined) break;
    const { conflict: id } = next;
    left.delete(id);
    const turn = (passed.get(id) ?? 0) + 1;
    passed.set(id, turn);
    for (const again of await decideOne(plan, next, turn))
      if ((passed.get(again) ?? 0) < TURNS) left.add(again);
  }
  await takeAgreed(plan, 'decide/agreed-last', () => true);
}

/**
 * Decides one question. `turn` counts, from 1, how often it is asked.
 * @returns the ids of questions that the choice has opened again
 */
async function decideOne(
  plan: PlanRun,
  standing: QuestionStanding,
  turn: number,
): Promise<string[]> {
  const conflict = plan.view.conflicts.find((conflict) => conflict.id === standing.conflict);
  if (conflict === undefined || standing.state === 'settled') return [];
  const options = liveIn(plan, conflict);
  // If all options of a question but one have been given up, the person may still be asked: only the person can
  // give up the last option.
  const isLastLeft = options.length === 1 && conflict.options.length > 1;
  // In a question of the kind `unowned`, a single statement is enough: the person says who takes the work on.
  const isUnowned = options.length === 1 && conflict.kind === 'unowned';
  if (options.length < 2 && !isUnowned && !(isLastLeft && standing.state === 'person')) return [];
  if (!isUnowned && turn === 1) await askMusts(plan, conflict, options, standing);
  if (!plan.config.person) return [];
  const key = turn === 1 ? `decide/${conflict.id}` : `decide/${conflict.id}/turn-${turn}`;
  return askPerson(plan, key, { conflict, standing, options, given: givenIn(plan, conflict) });
}

function liveIn({ view }: PlanRun, { options }: Conflict): Statement[] {
  return view.statements.filter(({ id, state }) => options.includes(id) && state === 'live');
}

/** Returns the statements that a question rests on and that are not withdrawn. */
function givenIn({ view }: PlanRun, { given = [] }: Conflict): Statement[] {
  return findLiveStatements(view.statements).filter(({ id }) => given.includes(id));
}

/** Returns whether a question that is not settled has this option. */
function isInQuestion({ view }: PlanRun, option: string): boolean {
  const settled = new Set(
    deriveStandings(view).flatMap(({ conflict, state }) => (state === 'settled' ? [conflict] : [])),
  );
  return view.conflicts.some(({ id, options }) => !settled.has(id) && options.includes(option));
}

/**
 * Decides the questions in which all seats accept the same option: records that option as the decision,
 * which withdraws the other options.
 */
async function takeAgreed(
  plan: PlanRun,
  key: string,
  isDue: (option: string) => boolean,
): Promise<void> {
  const { config, view } = plan;
  const done = new Set(view.decided.map(({ conflict }) => conflict));
  const agreed = deriveStandings(view).flatMap(({ conflict: id, state, outcome }) => {
    const conflict = view.conflicts.find((conflict) => conflict.id === id);
    if (done.has(id) || state !== 'settled' || outcome === undefined || !('option' in outcome))
      return [];
    const { option } = outcome;
    const withdrawsNothing = conflict === undefined || liveIn(plan, conflict).length < 2;
    if (withdrawsNothing || !isDue(option)) return [];
    const { rounds: round } = config;
    return [fact('conflict.decided', { round, conflict: id, option, by: 'agreement' })];
  });
  if (agreed.length > 0)
    await plan.record(
      key,
      agreed.map(({ conflict }) => conflict),
      agreed,
    );
}

async function askMusts(
  plan: PlanRun,
  conflict: Conflict,
  options: readonly Statement[],
  standing: QuestionStanding,
): Promise<void> {
  const { topic, config } = plan;
  const { outcome } = standing;
  const given = givenIn(plan, conflict);
  const seats = listSeatsInConflict(conflict, plan.view.statements);
  const agreed = outcome !== undefined && 'option' in outcome ? outcome.option : undefined;
  const musts = plan.view.statements.filter(
    ({ id, must, state, withdrawal }) =>
      must === true &&
      id !== agreed &&
      conflict.options.includes(id) &&
      (state === 'live' || withdrawal?.by === 'owner'),
  );
  const facts = await Promise.all(
    musts.map(async (must) => {
      const said = await plan.ask(`decide/${conflict.id}/${must.id}`, {
        task: 'plan/must',
        seat: must.role,
        about: { items: [must.id], heard: options.map(({ id, text }) => ({ from: id, text })) },
        messages: mustMessages(
          topic,
          { conflict, must, options, given, standing, seats },
          config.seed,
          editionOf(config),
        ),
        schema: mustSchema,
      });
      const told = { role: must.role, conflict: conflict.id, statement: must.id };
      return 'why' in said
        ? fact('must.asked', { ...told, why: said.why })
        : fact('must.asked', { ...told, holds: said.value.holds, why: said.value.why });
    }),
  );
  if (facts.length > 0)
    await plan.record(
      `decide/${conflict.id}/musts`,
      musts.map(({ id }) => id),
      facts,
    );
}
