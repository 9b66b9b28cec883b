/**
 * How questions end: by code where all seats concerned accept the same, else by the person. Before a must
 * would fall, its seat is asked once more, alone: in company it may have yielded to have peace.
 */
import { editionOf } from '../config.ts';
import { fact } from '../facts.ts';
import { standingsOf } from '../fold.ts';
import type { PlanRun } from '../plan-run.ts';
import { mustMessages, mustSchema } from '../prompts/must.ts';
import { type Conflict, seatsIn } from '../rules/conflicts.ts';
import type { Standing } from '../rules/settle.ts';
import { live, type Statement } from '../rules/statements.ts';
import { askPerson } from './person-gate.ts';

/** How often a question is put to the person: what they chose elsewhere may open it again. */
const TURNS = 3;

export async function decide(plan: PlanRun): Promise<void> {
  // What another question may still take away is agreed on when that one is decided.
  await takeAgreed(plan, 'decide/agreed', (option) => !isInQuestion(plan, option));
  // A question that was found or opened again meanwhile has its turn as well.
  const passed = new Map<string, number>();
  const left = new Set<string>();
  for (;;) {
    const next = standingsOf(plan.view).find(
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

/** @returns the ids of questions that are open again by what was chosen */
async function decideOne(plan: PlanRun, standing: Standing, turn: number): Promise<string[]> {
  const conflict = plan.view.conflicts.find((one) => one.id === standing.conflict);
  if (conflict === undefined || standing.state === 'settled') return [];
  const options = liveIn(plan, conflict);
  // What its own seats have taken back down to one option falls only by the person, too.
  const isLastLeft = options.length === 1 && conflict.options.length > 1;
  // Of one statement nobody has to choose, but somebody has to say whose it is.
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

/** What the question rests on, as far as it stands. */
function givenIn({ view }: PlanRun, { given = [] }: Conflict): Statement[] {
  return live(view.statements).filter(({ id }) => given.includes(id));
}

/** Whether a question that is not settled has this option. */
function isInQuestion({ view }: PlanRun, option: string): boolean {
  const settled = new Set(
    standingsOf(view).flatMap(({ conflict, state }) => (state === 'settled' ? [conflict] : [])),
  );
  return view.conflicts.some(({ id, options }) => !settled.has(id) && options.includes(option));
}

/** What all accept is taken, and the other options are given up by that. */
async function takeAgreed(
  plan: PlanRun,
  key: string,
  isDue: (option: string) => boolean,
): Promise<void> {
  const { config, view } = plan;
  const done = new Set(view.decided.map(({ conflict }) => conflict));
  const agreed = standingsOf(view).flatMap(({ conflict: id, state, outcome }) => {
    const conflict = view.conflicts.find((one) => one.id === id);
    if (done.has(id) || state !== 'settled' || outcome === undefined || !('option' in outcome))
      return [];
    const { option } = outcome;
    // Where nothing else stands there is nothing to be given up.
    if (conflict === undefined || liveIn(plan, conflict).length < 2 || !isDue(option)) return [];
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
  standing: Standing,
): Promise<void> {
  const { topic, config } = plan;
  const { outcome } = standing;
  const given = givenIn(plan, conflict);
  const seats = seatsIn(conflict, plan.view.statements);
  const agreed = outcome !== undefined && 'option' in outcome ? outcome.option : undefined;
  const musts = plan.view.statements.filter(
    ({ id, must, state, withdrawal }) =>
      must === true &&
      id !== agreed &&
      conflict.options.includes(id) &&
      (state === 'live' || withdrawal?.by === 'owner'),
  );
  const facts = await Promise.all(
    musts.map(async (one) => {
      const said = await plan.ask(`decide/${conflict.id}/${one.id}`, {
        task: 'plan/must',
        seat: one.role,
        about: { items: [one.id], heard: options.map(({ id, text }) => ({ from: id, text })) },
        messages: mustMessages(
          topic,
          { conflict, must: one, options, given, standing, seats },
          config.seed,
          editionOf(config),
        ),
        schema: mustSchema,
      });
      const told = { role: one.role, conflict: conflict.id, statement: one.id };
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
