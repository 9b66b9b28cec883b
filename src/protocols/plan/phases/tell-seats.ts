/**
 * Tells the seats of a question, and those whose options other questions came to, what the person has decided
 * in their own words, and has it compared with all other statements. Contradictions become new questions.
 */
import { editionOf, PERSON } from '../config.ts';
import { fact } from '../facts.ts';
import { type PlanView, takeFound } from '../fold.ts';
import type { PlanRun } from '../plan-run.ts';
import { toldMessages, toldSchema } from '../prompts/told.ts';
import { type FoundConflict, listSeatsInConflict } from '../rules/conflicts.ts';
import { findLiveStatements } from '../rules/statements.ts';
import { deriveStandings } from '../standings.ts';
import { findConflicts } from './rounds.ts';

/**
 * Tells seats what the person decided on a question in their own words, and asks each seat which of its own
 * statements contradict that. Records each contradiction as a conflict, then has all statements searched for
 * conflicts. The seats asked are those with an option in the question and, from edition 7 of the rules on, those
 * whose options other questions were settled on.
 * @param key the prefix of the recorded steps
 * @param id the id of the question
 * @param option the id of the statement in which the person's words are recorded
 */
export async function askForContradictions(
  plan: PlanRun,
  key: string,
  id: string,
  option: string,
): Promise<void> {
  const { view } = plan;
  const conflict = view.conflicts.find((conflict) => conflict.id === id);
  const decided = view.statements.find((statement) => statement.id === option);
  if (conflict === undefined || decided === undefined) return;
  const concerned = [
    ...listSeatsInConflict(conflict, view.statements),
    ...(editionOf(plan.config) < 7 ? [] : listWinners(view, id)),
  ];
  const seats = [...new Set(concerned)].filter((role) => role !== PERSON);
  const found = await Promise.all(
    seats.map(async (seat) => ({
      seat,
      clashes: await askOne(plan, key, seat, conflict, decided),
    })),
  );
  const round = Math.max(1, ...view.examined.map((examination) => examination.round));
  for (const { seat, clashes } of found) {
    if ('why' in clashes) {
      const unheard = fact('seat.unheard', { role: seat, round, why: clashes.why });
      await plan.record(`${key}/unheard-${seat}`, option, [unheard]);
      continue;
    }
    if (clashes.length === 0) continue;
    const looked = { round, found: clashes };
    await plan.record(`${key}/objects-${seat}`, option, [
      fact('conflicts.examined', {
        model: plan.seat(seat, key).model,
        seat,
        ...looked,
        ...takeFound(plan.view, looked),
      }),
    ]);
  }
  await findConflicts(plan, round, `${key}/look`);
}

/**
 * Returns the seats whose options were chosen in other questions. They are told what the person decides in
 * their own words, because it may contradict such an option.
 */
function listWinners(view: PlanView, id: string): string[] {
  const won = deriveStandings(view).flatMap(({ conflict, outcome }) => {
    if (conflict === id || outcome === undefined) return [];
    if ('option' in outcome) return [outcome.option];
    return view.conflicts.find((question) => question.id === conflict)?.options ?? [];
  });
  return view.statements.flatMap((statement) =>
    won.includes(statement.id) && statement.state === 'live' ? [statement.role] : [],
  );
}

async function askOne(
  plan: PlanRun,
  key: string,
  seat: string,
  conflict: Parameters<typeof listSeatsInConflict>[0],
  decided: Parameters<typeof listSeatsInConflict>[1][number],
): Promise<FoundConflict[] | { why: string }> {
  const { topic, config, view } = plan;
  const own = findLiveStatements(view.statements).filter(({ role }) => role === seat);
  if (own.length === 0) return [];
  const told = await plan.ask(`${key}/told-${seat}`, {
    task: 'plan/told',
    seat,
    about: {
      items: own.map(({ id }) => id),
      heard: [decided, ...own].map(({ id, text }) => ({ from: id, text })),
    },
    messages: toldMessages(topic, { conflict, decided, own }, config.seed),
    schema: toldSchema(own.map(({ id }) => id)),
  });
  if ('why' in told) return told;
  return told.value.clashes.map(({ id, why }) => ({
    question: `Which holds beside what the person decided in ${conflict.id}?`,
    statements: [decided.id, id],
    given: [],
    why,
    kind: 'contradiction',
  }));
}
