/**
 * The person's gate. Code knows all questions: a choice that would give up what another question has chosen is
 * refused with both side by side, and asked again. The person may decide in their own words, too.
 */
import { readAnswer } from '../../../kernel/handle.ts';
import { line } from '../../../text/line.ts';
import { editionOf, PERSON } from '../config.ts';
import { fact } from '../facts.ts';
import { standingsOf } from '../fold.ts';
import type { PlanRun } from '../plan-run.ts';
import type { Conflict } from '../rules/conflicts.ts';
import type { Standing } from '../rules/settle.ts';
import type { Statement } from '../rules/statements.ts';
import { tellSeats } from './tell-seats.ts';

/** What a person may say to every question. */
const LEAVE_OPEN = 'open';
/** From the third edition on. */
const OWN_WORDS = 'own';
/** How often a choice is refused before the question is left open. */
const REFUSALS = 3;
const LAST_TIME =
  'You are asked for the last time: what does not go with the other questions leaves this one open.';

interface Asked {
  readonly conflict: Conflict;
  readonly standing: Standing;
  /** Those that stand. */
  readonly options: readonly Statement[];
  /** What the question rests on, as far as it stands. */
  readonly given: readonly Statement[];
}

/** A question whose choice another one would take back. */
interface Clash {
  readonly option: string;
  readonly falls: string;
  readonly other: Conflict;
  readonly why: string;
}

/**
 * Asks until a choice goes with the others.
 * @param key of the gate
 * @returns the ids of questions that are open again by what was chosen
 */
export async function askPerson(plan: PlanRun, key: string, asked: Asked): Promise<string[]> {
  const { run, config } = plan;
  const { conflict, options } = asked;
  const edition = editionOf(config);
  let clash: Clash | undefined;
  for (let attempt = 1; attempt <= REFUSALS; attempt += 1) {
    const again = clash;
    const step = attempt === 1 ? key : `${key}/again-${attempt}`;
    const answer = await run.gate(step, {
      prompt: [
        ...(again === undefined ? [] : tellClash(plan, again)),
        ...(attempt < REFUSALS || edition < 4 ? [] : [LAST_TIME]),
        ...tellQuestion(plan, asked),
      ].join('\n'),
      options: [
        ...options.map((one) => ({ value: one.id, label: `${one.id} ${shorten(one.text)}` })),
        ...(edition < 3
          ? []
          : [{ value: OWN_WORDS, label: 'decide in my own words', words: 'What is to hold?' }]),
        ...(again === undefined
          ? []
          : [
              {
                value: again.other.id,
                label: `${again.option} after all, and ${again.other.id} again`,
              },
            ]),
        { value: LEAVE_OPEN, label: 'leave it open' },
      ],
      default: LEAVE_OPEN,
    });
    const { value, words } = readAnswer(answer);
    const isReopened = again !== undefined && value === again.other.id;
    const isOwn = edition >= 3 && value === OWN_WORDS && words.trim() !== '';
    const option = isReopened ? again.option : options.find(({ id }) => id === value)?.id;
    const falling = options.filter(({ id }) => id !== option);
    if ((option !== undefined || isOwn) && !isReopened && edition >= 3)
      clash = clashOf(plan, conflict, option ?? OWN_WORDS, falling);
    else clash = undefined;
    if (clash !== undefined) continue;
    if (isOwn) return decideInWords(plan, key, asked, words.trim());
    const round = config.rounds;
    await plan.record(`${key}/chosen`, answer, [
      // What it gave up stands again before this choice takes its own.
      ...(isReopened
        ? [fact('conflict.decided', { round, conflict: again.other.id, by: 'default' })]
        : []),
      fact('conflict.decided', {
        ...{ round, conflict: conflict.id },
        ...(option === undefined ? { by: 'default' } : { by: 'person', option }),
      }),
    ]);
    return isReopened ? [again.other.id] : [];
  }
  await plan.record(`${key}/chosen`, LEAVE_OPEN, [
    fact('conflict.decided', {
      ...{ round: config.rounds, conflict: conflict.id, by: 'default' },
      ...(clash === undefined || edition < 4
        ? {}
        : {
            why: `whatever the person chose was not taken: it would give up ${clash.falls}, which is what ${clash.other.id} comes to`,
          }),
    }),
  ]);
  return [];
}

/**
 * Returns the first other settled question that would lose its outcome, because a statement in `falling` is
 * the option that it was settled on or, from the fourth edition on, one of the options that it keeps.
 * Undefined if there is none.
 */
function clashOf(
  { view, config }: PlanRun,
  conflict: Conflict,
  option: string,
  falling: readonly Statement[],
): Clash | undefined {
  for (const standing of standingsOf(view)) {
    const { state, outcome, why } = standing;
    if (standing.conflict === conflict.id || state !== 'settled') continue;
    const other = view.conflicts.find(({ id }) => id === standing.conflict);
    if (outcome === undefined) continue;
    const kept =
      'option' in outcome ? [outcome.option] : editionOf(config) < 4 ? [] : (other?.options ?? []);
    const falls = falling.find(({ id }) => kept.includes(id));
    if (falls !== undefined && other !== undefined) return { option, falls: falls.id, other, why };
  }
  return undefined;
}

function tellClash(plan: PlanRun, { option, falls, other, why }: Clash): string[] {
  const what = option === OWN_WORDS ? 'Your own words here' : option;
  return [
    `Not taken: ${what} would give up ${falls}, which is what ${other.id} comes to (${line(why)}). Both cannot stand.`,
    `${other.id}: ${line(other.question)}`,
    ...plan.view.statements
      .filter(({ id }) => other.options.includes(id))
      .map(({ id, text, state }) =>
        line(`${id}${id === falls ? ', chosen' : state === 'live' ? '' : ', given up'}: ${text}`),
      ),
    'And the question that you were asked:',
  ];
}

/** What the person says is a statement of theirs, and is checked like any other. */
async function decideInWords(
  plan: PlanRun,
  key: string,
  { conflict }: Asked,
  text: string,
): Promise<string[]> {
  const { rounds: round } = plan.config;
  const said = plan.view.statements.filter(({ role }) => role === PERSON).length;
  const option = `${PERSON}-${said + 1}`;
  await plan.record(`${key}/chosen`, text, [
    fact('statements.made', {
      ...{ role: PERSON, round, change: [], withdraw: [] },
      add: [{ kind: 'constraint', text, conflict: conflict.id }],
    }),
    fact('conflict.decided', { round, conflict: conflict.id, option, by: 'person' }),
  ]);
  await tellSeats(plan, key, conflict.id, option);
  return [];
}

function tellQuestion(plan: PlanRun, { conflict, standing, options, given }: Asked): string[] {
  return [
    `${conflict.id}: ${line(conflict.question)}`,
    `You are asked because ${standing.why}.`,
    ...(conflict.unconfirmed === true
      ? ['It is unconfirmed: whoever named it missed the statement that was planted.']
      : []),
    ...options.map((one) => tellOption(plan, one, standing)),
    ...given.map(({ id, role, text }) =>
      line(`It rests on ${id}, ${plan.title(role)}, which stands whatever you choose: ${text}`),
    ),
    ...changesIn(plan, conflict),
    ...plan.view.musts
      .filter((one) => one.conflict === conflict.id)
      .map(
        ({ role, statement, holds, why }) =>
          `Asked alone, ${plan.title(role)} ${holds === undefined ? 'did not say whether it holds' : holds ? 'holds' : 'would give up'} ${statement}: ${line(why)}`,
      ),
  ];
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
