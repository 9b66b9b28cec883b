/** Defines the records of conflicts: a question with its options, who accepts what, and how it ended. */
import { type Block, makeSection } from '../../../plain/blocks.ts';
import { escapeLine, formatTable } from '../../../plain/markdown.ts';
import { type DetailsContext, recordKind } from '../../../record-kinds/kind.ts';
import { list } from '../../../text/markdown/blocks.ts';
import type { PlanView } from '../fold.ts';
import type { Conflict } from '../rules/conflicts.ts';
import type { Answer } from '../rules/settle.ts';
import type { Statement } from '../rules/statements.ts';
import type { PlanDisplay } from './display-state.ts';
import { statementKind } from './statement.ts';
import {
  describeExamination,
  formatControlLines,
  getEnding,
  KIND_SENTENCES,
  KIND_WORDS,
  SUSPICION_WORDS,
} from './wording.ts';

/** From this width in cells on, each option has a column of its own. */
const OPTION_CELLS = 26;
/** The width in cells of row names and lines in a table of options. */
const TABLE_FRAME = 14;

/**
 * The description of a plan's conflicts (a kind of record), from which their tab, their section of the report and the
 * comparison of two runs are made. Other places that show conflicts do not use it, such as
 * `phases/person-gate.ts` and `spec-lines.ts`.
 */
export const CONFLICT = recordKind({
  name: 'Conflicts',
  about:
    'Each conflict is a question; its options are statements. Models that look for conflicts must also find one planted by the program, the control.',
  notes: ({ plan }: PlanDisplay) => formatControlLines(plan.examined),
  none: ({ plan }) =>
    plan.examined.length === 0 ? 'No search for conflicts yet.' : 'No conflicts found.',
  all: ({ plan }) => plan.conflicts,
  id: ({ id }: Conflict) => id,
  heading: ({ id, question }) => `${id} · ${question}`,
  columns: [
    { title: 'id', of: ({ id }) => id },
    {
      title: 'ended',
      of: (conflict, planned) => {
        const { brief, words: whole, tone } = getEnding(conflict, planned);
        return { text: brief, tone, below: [whole] };
      },
    },
    { title: 'kind', from: 100, of: ({ kind }) => KIND_WORDS[kind] },
    {
      title: 'options',
      from: 140,
      of: (conflict) => ({ text: conflict.options.join(', '), below: restWords(conflict) }),
    },
    { title: 'question', of: ({ question, why }) => ({ text: question, below: [why] }) },
  ],
  details: conflictDetails,
  isWholeInReports: true,
  compared: (conflict, planned) => ({
    question: conflict.question,
    ended: getEnding(conflict, planned).brief,
  }),
  sentence: (conflict, planned) => `${conflict.question} (${getEnding(conflict, planned).brief})`,
});

function conflictDetails(
  conflict: Conflict,
  planned: PlanDisplay,
  { columns, isAlone }: DetailsContext,
): Block[] {
  const { plan } = planned;
  const { kind, why, round, alsoAsked } = conflict;
  const options = conflict.options.flatMap(
    (id) => plan.statements.find((statement) => statement.id === id) ?? [],
  );
  const isTable =
    options.length > 1 &&
    Math.floor((columns - TABLE_FRAME) / conflict.options.length) >= OPTION_CELLS;
  return [
    `**${escapeLine(getEnding(conflict, planned).words)}**`,
    `${KIND_SENTENCES[kind]}, found after round ${round}: ${escapeLine(why)}`,
    alsoAsked.length === 0 ? '' : `Found again as: ${alsoAsked.map(escapeLine).join(' · ')}`,
    ...(isTable
      ? [optionTable(options, conflict, planned)]
      : options.map((option) => formatList(option.id, optionRows(option, conflict, planned)))),
    formatList('It rests on', restRows(conflict, planned)),
    formatList('What the seats answered', answerRows(conflict, planned)),
    formatList('Why the person was asked', askedRows(conflict, planned)),
    formatList('Asked alone', mustRows(conflict, planned)),
    formatList('Suspicions', suspicionRows(conflict, planned)),
    formatList('What hangs on it', listDependentQuestions(conflict, plan)),
    formatList(`Who looked after round ${round}`, isAlone ? lookRows(conflict, plan) : []),
  ];
}

function formatList(title: string, rows: readonly string[]): Block {
  return makeSection(title, list(rows));
}

/** Formats the statements that a question rests on. Nobody can choose or drop them in this question. */
function restRows({ given = [] }: Conflict, { plan, title }: PlanDisplay): string[] {
  return given.flatMap((id) => {
    const statement = plan.statements.find((known) => known.id === id);
    if (statement === undefined) return [];
    const { text, role, withdrawal } = statement;
    const gone = withdrawal === undefined ? '' : ` (given up: ${givenUpWords(withdrawal)})`;
    return [
      `**${escapeLine(id)}**, ${escapeLine(title(role))}, ${statementKind(statement)}: ${escapeLine(text)}${gone}`,
    ];
  });
}

/** Formats what a question rests on, such as `It rests on ux-1, data-2`; empty if it rests on nothing. */
function restWords({ given = [] }: Conflict): string[] {
  return given.length === 0 ? [] : [`It rests on ${given.join(', ')}`];
}

function optionTable(
  options: readonly Statement[],
  conflict: Conflict,
  planned: PlanDisplay,
): string {
  const rows = options.map((option) => optionOf(option, conflict, planned));
  const names = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))];
  return formatTable(
    ['', ...options.map(({ id }) => `**${escapeLine(id)}**`)],
    names.map((name) => [
      name,
      ...rows.map((row) => row.find(([known]) => known === name)?.[1] ?? ''),
    ]),
  );
}

function optionRows(option: Statement, conflict: Conflict, planned: PlanDisplay): string[] {
  return optionOf(option, conflict, planned).map(([name, said]) => `**${name}:** ${said}`);
}

/** Returns named facts about an option: its text, reason, seat, who accepts it, and its history. */
function optionOf(
  option: Statement,
  conflict: Conflict,
  planned: PlanDisplay,
): (readonly [name: string, said: string])[] {
  const { text, because = '', earlier, role, withdrawal, must } = option;
  const first = earlier[0];
  return [
    ['Says', escapeLine(text)],
    ['Owner', escapeLine(planned.title(role))],
    ['Kind', must === true ? `**${statementKind(option)}**` : statementKind(option)],
    ['Ground', because.trim() === '' ? 'none given' : escapeLine(because)],
    ['Accepted by', escapeLine(acceptedBy(option.id, conflict, planned))],
    ...(first === undefined ? [] : [['In round 1', escapeLine(first.text)] as const]),
    ...(withdrawal === undefined ? [] : [['Given up', givenUpWords(withdrawal)] as const]),
  ];
}

function givenUpWords({ by, round, why }: NonNullable<Statement['withdrawal']>): string {
  const how = {
    owner: 'taken back by its owner',
    person: 'by the person',
    agreement: 'by agreement',
  };
  return escapeLine(`${how[by]} in round ${round}: ${why}`);
}

/**
 * Lists the seats whose latest answer accepts an option, such as `Engine, Interface`, even if the option
 * was withdrawn since.
 */
function acceptedBy(option: string, conflict: Conflict, planned: PlanDisplay): string {
  const seats = lastAnswers(conflict, planned.plan).flatMap(({ role, answer }) =>
    'accepts' in answer && answer.accepts.includes(option) ? [planned.title(role)] : [],
  );
  return seats.length === 0 ? 'nobody' : seats.join(', ');
}

/** Returns the latest answer of each seat to a question, in the order of their first answers. */
function lastAnswers(
  { id }: Conflict,
  { answers }: PlanView,
): { readonly role: string; readonly answer: Answer }[] {
  const last = new Map<string, Answer>();
  for (const { role, answers: given } of answers)
    for (const answer of given) if (answer.conflict === id) last.set(role, answer);
  return [...last].map(([role, answer]) => ({ role, answer }));
}

function answerRows(conflict: Conflict, planned: PlanDisplay): string[] {
  const { plan, title } = planned;
  return lastAnswers(conflict, plan).map(({ role, answer }) => {
    const said =
      'accepts' in answer
        ? `accepts ${answer.accepts.join(', ') || 'none of them'}${answer.prefers === undefined ? '' : `, prefers ${answer.prefers}`}: ${answer.why}`
        : 'compatible' in answer
          ? `says that they go together: ${answer.compatible}`
          : `calls it misread: ${answer.misread}`;
    return `${escapeLine(title(role))} ${escapeLine(said)}`;
  });
}

/** Says why the person was asked, if the person decided the question. */
function askedRows({ id }: Conflict, { plan, undecided }: PlanDisplay): string[] {
  const isAsked = plan.decided.some(({ conflict, by }) => conflict === id && by === 'person');
  const why = undecided.find(({ conflict }) => conflict === id)?.why;
  return isAsked && why !== undefined ? [escapeLine(why)] : [];
}

function mustRows({ id }: Conflict, { plan, title }: PlanDisplay): string[] {
  return plan.musts
    .filter(({ conflict }) => conflict === id)
    .map(({ role, statement, holds, why }) =>
      escapeLine(`${title(role)} ${formatInsistence(holds)} ${statement}: ${why}`),
    );
}

/**
 * Formats a seat's answer when it was asked whether it insists on a constraint that it had marked
 * as a must.
 * @param holds whether it insists; undefined if it did not answer
 */
export function formatInsistence(holds: boolean | undefined): string {
  if (holds === undefined) return 'did not say whether it holds';
  return holds ? 'holds its must' : 'gives up its must';
}

/**
 * Returns a sentence for each reason to doubt that the seats really agree on a conflict, such as that a seat accepted
 * only options of other seats; empty if there is no such reason.
 */
export function suspicionRows({ id }: Conflict, { undecided, title }: PlanDisplay): string[] {
  const standing = undecided.find(({ conflict }) => conflict === id);
  return (standing?.suspicions ?? []).map(({ role, what }) =>
    escapeLine(`${title(role)} ${SUSPICION_WORDS[what]}`),
  );
}

/**
 * Returns a sentence for each way in which a choice in this question affects another one: the other question has
 * one of the same options, or rests on one of them.
 */
export function listDependentQuestions(
  { id, options }: Conflict,
  { conflicts }: PlanView,
): string[] {
  const isOption = (statement: string): boolean => options.includes(statement);
  return conflicts.flatMap((other) => {
    if (other.id === id) return [];
    const shared = other.options.filter(isOption);
    const leaned = (other.given ?? []).filter(isOption);
    return [
      ...(shared.length === 0 ? [] : [`too is about ${shared.join(', ')}`]),
      ...(leaned.length === 0 ? [] : [`rests on ${leaned.join(', ')}`]),
    ].map((how) => escapeLine(`${other.id} ${how}: ${other.question}`));
  });
}

/** Says under which id the reader saw the planted statement, if it is another than the recorded one. */
function swapWords({
  planted,
  shownAs,
}: {
  planted: string;
  shownAs?: string | undefined;
}): string {
  return shownAs === undefined
    ? ''
    : ` (the model saw it as ${shownAs}, and ${shownAs} as ${planted}, so that its number does not tell)`;
}

function lookRows({ round }: Conflict, { examined }: PlanView): string[] {
  return examined
    .filter((examination) => examination.round === round)
    .map((examination) => {
      const { control } = examination;
      const planted =
        control === undefined
          ? ''
          : `. Planted against ${control.of}, as ${control.planted}${swapWords(control)}: “${control.text}”`;
      return escapeLine(`${describeExamination(examination)}${planted}`);
    });
}
