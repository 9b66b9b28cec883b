/**
 * Asks the person to decide a question. A choice that would give up what another question has chosen is
 * refused, shown beside the other question, and asked again. The person may also decide in their own words.
 */

import { readAnswer } from '../../../kernel/handle.ts';
import { toLine } from '../../../text/line.ts';
import { withoutFalse } from '../../../text/without-undefined.ts';
import { cutText } from '../../../text/words/cut.ts';
import { type Edition, editionOf, PERSON } from '../config.ts';
import { type FactOf, fact } from '../facts.ts';
import type { PlanRun } from '../plan-run.ts';
import type { Conflict } from '../rules/conflicts.ts';
import type { QuestionStanding } from '../rules/settle.ts';
import type { Statement } from '../rules/statements.ts';
import { deriveStandings } from '../standings.ts';
import { askForContradictions } from './tell-seats.ts';

/** The answer that leaves a question open. */
const LEAVE_OPEN = 'open';
/** The answer in the person's own words, from edition 3 of the rules on. */
const OWN_WORDS = 'own';
/** The answer that the options go together, from edition 5 of the rules on, if there are at least two. */
const TOGETHER = 'together';
/** How often a question is asked, if the choice is refused each time, before it is left open. */
const REFUSALS = 3;
const LAST_TIME =
  'You are asked for the last time: what does not go with the other questions leaves this one open.';

const UNCONFIRMED =
  'It is unconfirmed: no reader who found the planted statement has named it apart from that.';
/**
 * The text for runs before edition 6 of the rules. It may be wrong: the conflict may have been named by a
 * seat, and seats are shown no planted statement.
 */
const UNCONFIRMED_BEFORE =
  'It is unconfirmed: whoever named it missed the statement that was planted.';

interface AskedQuestion {
  readonly conflict: Conflict;
  readonly standing: QuestionStanding;
  /** The options that are not withdrawn. */
  readonly options: readonly Statement[];
  /** Statements that the question rests on and that are not withdrawn. */
  readonly given: readonly Statement[];
}

/** What the person chose: one option, their own words, or that all options go together. */
type Choice =
  | { readonly kind: 'option'; readonly option: string }
  | { readonly kind: 'own'; readonly words: string }
  | { readonly kind: 'together'; readonly how: string };

/** Another question that would lose its outcome by a choice. */
interface Clash {
  readonly choice: Choice;
  readonly falls: string;
  readonly other: Conflict;
  readonly why: string;
}

/**
 * Asks the person to decide a question, and records the decision. From edition 3 of the rules on, a choice that
 * contradicts what another question came to is refused, and the person is asked again. After the third refusal,
 * the question stays open.
 * @param key the key of the first step, and the prefix of the keys of further steps
 * @returns the ids of questions that the choice has opened again
 */
export async function askPerson(
  plan: PlanRun,
  key: string,
  asked: AskedQuestion,
): Promise<string[]> {
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
      options: withoutFalse([
        ...options.map((option) => ({
          value: option.id,
          label: `${option.id} ${cutText(toLine(option.text), ROW)}`,
        })),
        edition >= 5 &&
          options.length >= 2 && {
            value: TOGETHER,
            label: 'they go together, there is no conflict',
            words: 'How can all of them be followed?',
          },
        edition >= 3 && {
          value: OWN_WORDS,
          label: 'decide in my own words',
          words: 'What is to hold?',
        },
        again !== undefined && {
          value: again.other.id,
          label: `${nameChoice(again.choice)} after all, and ${again.other.id} again`,
        },
        { value: LEAVE_OPEN, label: 'leave it open' },
      ]),
      default: LEAVE_OPEN,
    });
    const { value, words } = readAnswer(answer);
    const isReopened = again !== undefined && value === again.other.id;
    const choice = isReopened ? again.choice : choiceOf(value, words, options, edition);
    clash =
      choice === undefined || isReopened || edition < 3
        ? undefined
        : clashOf(plan, conflict, choice, options);
    if (clash !== undefined) continue;
    const round = config.rounds;
    // If the outcome of another question stands in the way of a choice, the person can open the other question again.
    // The other question is recorded as undecided first, and then the choice is recorded.
    const reopened = isReopened
      ? [fact('conflict.decided', { round, conflict: again.other.id, by: 'default' })]
      : [];
    const openAgain = isReopened ? [again.other.id] : [];
    if (choice?.kind === 'own' && (!isReopened || edition >= 5)) {
      if (isReopened) await plan.record(`${key}/reopened`, answer, reopened);
      await decideInWords(plan, key, asked, choice.words);
      return openAgain;
    }
    await plan.record(`${key}/chosen`, answer, [
      ...reopened,
      fact('conflict.decided', { round, conflict: conflict.id, ...decisionOf(choice, options) }),
    ]);
    return openAgain;
  }
  await plan.record(`${key}/chosen`, LEAVE_OPEN, [
    fact('conflict.decided', {
      round: config.rounds,
      conflict: conflict.id,
      by: 'default',
      ...(clash === undefined || edition < 4
        ? {}
        : {
            why: `whatever the person chose was not taken: it would give up ${clash.falls}, which is what ${clash.other.id} comes to`,
          }),
    }),
  ]);
  return [];
}

/** Returns what the person chose by an answer; undefined if they leave the question open. */
function choiceOf(
  value: string,
  words: string,
  options: readonly Statement[],
  edition: Edition,
): Choice | undefined {
  if (edition >= 3 && value === OWN_WORDS && words.trim() !== '')
    return { kind: 'own', words: words.trim() };
  if (edition >= 5 && value === TOGETHER && options.length > 1)
    return { kind: 'together', how: words.trim() };
  const option = options.find(({ id }) => id === value)?.id;
  return option === undefined ? undefined : { kind: 'option', option };
}

type Decision = Pick<FactOf<'conflict.decided'>, 'by' | 'option' | 'together'>;

/** Returns how a choice is recorded. */
function decisionOf(choice: Choice | undefined, options: readonly Statement[]): Decision {
  if (choice === undefined) return { by: 'default' };
  // A choice in the person's own words gets here only in editions 3 and 4, if another question is opened again. The
  // decision then has the value `OWN_WORDS` in place of the words.
  if (choice.kind === 'own') return { by: 'person', option: OWN_WORDS };
  return choice.kind === 'option'
    ? { by: 'person', option: choice.option }
    : { by: 'person', together: { how: choice.how, options: options.map(({ id }) => id) } };
}

/**
 * Returns the first other settled question that would lose its outcome, because the choice gives up the
 * option chosen there or, from edition 4 of the rules on, one of the options kept there. Undefined if there
 * is none.
 */
function clashOf(
  { view, config }: PlanRun,
  conflict: Conflict,
  choice: Choice,
  options: readonly Statement[],
): Clash | undefined {
  if (choice.kind === 'together') return undefined;
  const falling = options.filter(({ id }) => choice.kind === 'own' || choice.option !== id);
  for (const standing of deriveStandings(view)) {
    const { state, outcome, why } = standing;
    if (standing.conflict === conflict.id || state !== 'settled') continue;
    const other = view.conflicts.find(({ id }) => id === standing.conflict);
    if (outcome === undefined || other === undefined) continue;
    const kept =
      'option' in outcome ? [outcome.option] : editionOf(config) < 4 ? [] : other.options;
    const falls = falling.find(({ id }) => kept.includes(id));
    if (falls !== undefined) return { choice, falls: falls.id, other, why };
  }
  return undefined;
}

function nameChoice(choice: Choice): string {
  return choice.kind === 'option' ? choice.option : choice.kind === 'own' ? OWN_WORDS : TOGETHER;
}

function tellClash(plan: PlanRun, { choice, falls, other, why }: Clash): string[] {
  const what = choice.kind === 'own' ? 'Your own words here' : nameChoice(choice);
  return [
    `Not taken: ${what} would give up ${falls}, which is what ${other.id} comes to (${toLine(why)}). Both cannot stand.`,
    `${other.id}: ${toLine(other.question)}`,
    ...plan.view.statements
      .filter(({ id }) => other.options.includes(id))
      .map(({ id, text, state }) =>
        toLine(`${id}${id === falls ? ', chosen' : state === 'live' ? '' : ', given up'}: ${text}`),
      ),
    'And the question that you were asked:',
  ];
}

/**
 * Records the person's own words as a statement, which is compared with all others like any other
 * statement.
 */
async function decideInWords(
  plan: PlanRun,
  key: string,
  { conflict }: AskedQuestion,
  text: string,
): Promise<void> {
  const { rounds: round } = plan.config;
  const said = plan.view.statements.filter(({ role }) => role === PERSON).length;
  const option = `${PERSON}-${said + 1}`;
  await plan.record(`${key}/chosen`, text, [
    fact('statements.made', {
      role: PERSON,
      round,
      change: [],
      withdraw: [],
      add: [{ kind: 'constraint', text, conflict: conflict.id }],
    }),
    fact('conflict.decided', { round, conflict: conflict.id, option, by: 'person' }),
  ]);
  await askForContradictions(plan, key, conflict.id, option);
}

function tellQuestion(
  plan: PlanRun,
  { conflict, standing, options, given }: AskedQuestion,
): string[] {
  return withoutFalse([
    `${conflict.id}: ${toLine(conflict.question)}`,
    `You are asked because ${standing.why}.`,
    conflict.unconfirmed === true &&
      (editionOf(plan.config) < 6 ? UNCONFIRMED_BEFORE : UNCONFIRMED),
    ...options.map((option) => tellOption(plan, option, standing)),
    ...given.map(({ id, role, text }) =>
      toLine(`It rests on ${id}, ${plan.title(role)}, which stands whatever you choose: ${text}`),
    ),
    ...changesIn(plan, conflict),
    ...plan.view.musts
      .filter((must) => must.conflict === conflict.id)
      .map(
        ({ role, statement, holds, why }) =>
          `Asked alone, ${plan.title(role)} ${holds === undefined ? 'did not say whether it holds' : holds ? 'holds' : 'would give up'} ${statement}: ${toLine(why)}`,
      ),
  ]);
}

function tellOption(
  plan: PlanRun,
  { id, role, text, must, because }: Statement,
  { accepts }: QuestionStanding,
): string {
  const by = Object.keys(accepts).filter((seat) => accepts[seat]?.includes(id));
  const acceptance =
    by.length === 0
      ? role === PERSON && editionOf(plan.config) >= 6
        ? 'decided before in your own words'
        : 'accepted by nobody'
      : `accepted by ${by.map((seat) => plan.title(seat)).join(', ')}`;
  const ground = because === undefined ? '' : ` Because: ${because}`;
  return toLine(
    `${id}, ${plan.title(role)}${must ? ', a must' : ''}, ${acceptance}: ${text}${ground}`,
  );
}

/** Returns what has changed in the options since round 1: new words, new options and withdrawals. */
function changesIn({ view }: PlanRun, { options }: Conflict): string[] {
  return view.statements
    .filter(({ id }) => options.includes(id))
    .flatMap(({ id, round, earlier, withdrawal }) =>
      withoutFalse([
        round > 1 && `Since round 1: ${id} was added in round ${round}.`,
        ...earlier.map((was) =>
          toLine(`Since round 1: ${id} read until round ${was.round}: ${was.text}`),
        ),
        withdrawal !== undefined &&
          toLine(
            `Since round 1: ${id} was withdrawn in round ${withdrawal.round}${withdrawal.by === 'owner' ? ' by its seat' : ''}: ${withdrawal.why}`,
          ),
      ]),
    );
}

/** The most characters of an option in a list of choices. */
const ROW = 60;
