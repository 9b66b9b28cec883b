/**
 * How questions end: by code where all seats concerned accept the same, else by the person. Before a must
 * would fall, its seat is asked once more, alone: in company it may have yielded to have peace.
 */
import { line } from '../../../text/line.ts';
import { editionOf } from '../config.ts';
import { fact } from '../facts.ts';
import { standingsOf } from '../fold.ts';
import type { PlanRun } from '../plan-run.ts';
import { mustMessages, mustSchema } from '../prompts/must.ts';
import { type Conflict, seatsIn } from '../rules/conflicts.ts';
import type { Standing } from '../rules/settle.ts';
import { live, type Statement } from '../rules/statements.ts';

/** What a person may say to every question. */
const LEAVE_OPEN = 'open';

export async function decide(plan: PlanRun): Promise<void> {
  // What another question may still take away is agreed on when that one is decided.
  await takeAgreed(plan, 'decide/agreed', (option) => !isInQuestion(plan, option));
  for (const { conflict: id } of standingsOf(plan.view)) {
    // One decision may end another question with it.
    const standing = standingsOf(plan.view).find((one) => one.conflict === id);
    const conflict = plan.view.conflicts.find((one) => one.id === id);
    if (standing === undefined || conflict === undefined || standing.state === 'settled') continue;
    const options = liveIn(plan, conflict);
    // What its own seats have taken back down to one option falls only by the person, too.
    const isLastLeft = options.length === 1 && conflict.options.length > 1;
    // Of one statement nobody has to choose, but somebody has to say whose it is.
    const isUnowned = options.length === 1 && conflict.kind === 'unowned';
    if (options.length < 2 && !isUnowned && !(isLastLeft && standing.state === 'person')) continue;
    if (!isUnowned) await askMusts(plan, conflict, options, standing);
    if (plan.config.person) await askPerson(plan, conflict, standing, options);
  }
  await takeAgreed(plan, 'decide/agreed-last', () => true);
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

async function askPerson(
  plan: PlanRun,
  conflict: Conflict,
  standing: Standing,
  options: readonly Statement[],
): Promise<void> {
  const { run, config, view } = plan;
  const answer = await run.gate(`decide/${conflict.id}`, {
    prompt: [
      `${conflict.id}: ${line(conflict.question)}`,
      `You are asked because ${standing.why}.`,
      ...options.map((one) => tellOption(plan, one, standing)),
      ...givenIn(plan, conflict).map(({ id, role, text }) =>
        line(`It rests on ${id}, ${plan.title(role)}, which stands whatever you choose: ${text}`),
      ),
      ...changesIn(plan, conflict),
      ...view.musts
        .filter((one) => one.conflict === conflict.id)
        .map(
          ({ role, statement, holds, why }) =>
            `Asked alone, ${plan.title(role)} ${holds === undefined ? 'did not say whether it holds' : holds ? 'holds' : 'would give up'} ${statement}: ${line(why)}`,
        ),
    ].join('\n'),
    options: [
      ...options.map((one) => ({ value: one.id, label: `${one.id} ${shorten(one.text)}` })),
      { value: LEAVE_OPEN, label: 'leave it open' },
    ],
    default: LEAVE_OPEN,
  });
  const option = options.find(({ id }) => id === answer)?.id;
  await plan.record(`decide/${conflict.id}/chosen`, answer, [
    fact('conflict.decided', {
      round: config.rounds,
      conflict: conflict.id,
      ...(option === undefined ? { by: 'default' } : { by: 'person', option }),
    }),
  ]);
}

function tellOption(
  plan: PlanRun,
  { id, role, text, must, because }: Statement,
  { accepts }: Standing,
): string {
  const by = Object.keys(accepts).filter((seat) => accepts[seat]?.includes(id));
  const who =
    by.length === 0
      ? 'accepted by nobody'
      : `accepted by ${by.map((one) => plan.title(one)).join(', ')}`;
  const ground = because === undefined ? '' : ` Because: ${because}`;
  return line(`${id}, ${plan.title(role)}${must ? ', a must' : ''}, ${who}: ${text}${ground}`);
}

/** What has become of the options since round 1: new words, new options, what was withdrawn. */
function changesIn({ view }: PlanRun, { options }: Conflict): string[] {
  return view.statements
    .filter(({ id }) => options.includes(id))
    .flatMap(({ id, round, earlier, withdrawal }) => [
      ...(round > 1 ? [`Since round 1: ${id} was added in round ${round}.`] : []),
      ...earlier.map((was) =>
        line(`Since round 1: ${id} read until round ${was.round}: ${was.text}`),
      ),
      ...(withdrawal === undefined
        ? []
        : [
            line(
              `Since round 1: ${id} was withdrawn in round ${withdrawal.round}${withdrawal.by === 'owner' ? ' by its seat' : ''}: ${withdrawal.why}`,
            ),
          ]),
    ]);
}

/** As much as a row of choices has room for. */
const ROW = 60;

function shorten(long: string): string {
  const text = line(long);
  return text.length <= ROW ? text : `${text.slice(0, ROW - 1).trimEnd()}…`;
}
