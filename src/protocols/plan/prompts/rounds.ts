/** Builds the prompts of specialists in each round, and of readers who look for conflicts. */

import * as z from 'zod';
import { makeNonce } from '../../../kernel/chance.ts';
import type { Message } from '../../../kernel/model.ts';
import { repeatsForm } from '../../../text/form-words.ts';
import { toLine } from '../../../text/line.ts';
import { withoutFalse } from '../../../text/without-undefined.ts';
import { cutText } from '../../../text/words/cut.ts';
import { isSingleWord } from '../../../text/words/has-content.ts';
import { cleanTagLabel, encloseInTags } from '../../common/prompts/fence.ts';
import { makeChoiceSchema } from '../../common/prompts/one-of.ts';
import { makeStatementSchema } from '../../common/prompts/statement.ts';
import type { Edition } from '../config.ts';
import { CONFLICT_KINDS, type Conflict, type FoundConflict } from '../rules/conflicts.ts';
import type { Answer } from '../rules/settle.ts';
import { STATEMENT_KINDS, type Statement } from '../rules/statements.ts';
import { buildPrompt, contextPart, type ShownContext, statementsPart } from './opening.ts';

const MOST_STATEMENTS = 12;
/** The most conflicts of one search: twenty, and the planted one. */
const MOST_CONFLICTS = 20 + 1;
/** The most statements that a conflict may name in each of its lists. */
const MOST_NAMED = 8;
/** The most characters of a statement that a seat is told of but not asked about. */
const TITLE = 110;

/** How a statement that has nothing but words of the prompt is refused. */
const TOLD_AGAIN = 'it repeats what you were told instead of saying something';

const statementSchema = z.object({
  kind: z.enum(STATEMENT_KINDS),
  title: z.string().max(120),
  text: makeStatementSchema(900)
    .refine((text) => !isSingleWord(text), 'it is a word and no sentence')
    .refine((text) => !repeatsTask(text), TOLD_AGAIN),
  must: z.boolean(),
  because: z.string().max(600),
});

/** A statement as a model hands it in. A field that the model does not fill in is an empty text. */
export type HandedInStatement = z.infer<typeof statementSchema>;

/** The schema of a specialist's statements in the first round. */
export const statementsSchema = z.object({
  statements: z.array(statementSchema).min(1).max(MOST_STATEMENTS),
});

const STATEMENT_TASK = [
  'Each statement can be followed or contradicted by itself: one thing, in one to three sentences, that somebody understands who reads no other statement and not your context.',
  'kind: "section" for what is to be done or to be true, with a title; "constraint" for what must hold whatever is done; "concern" for what could go wrong.',
  'must: true only for a constraint that you would hold although everybody else were against it; few are. because: the ground, in your own words or quoted from your context. Others see it, and not your context.',
].join('\n');

const NOT_KNOWN =
  'Where something is not known, say what follows for the plan from not knowing it. Do not speak for domains that are not yours.';

/**
 * Returns whether a text is a placeholder, or mostly repeats what specialists are told about statements; see
 * `repeatsForm`. False for an empty text.
 */
export function repeatsTask(text: string): boolean {
  return text.trim() !== '' && repeatsForm(text, TASK_SENTENCES);
}

/** The sentences and clauses of the task, without the names of the fields. */
const TASK_SENTENCES = splitSentences(`${STATEMENT_TASK}\n${NOT_KNOWN}`);

function splitSentences(text: string): string[] {
  return text.split(/(?<=[.:;])\s+/);
}

/**
 * Builds the prompt that asks a specialist for its statements in the first round. `edition` is the edition
 * of the rules that the run follows. `seed` decides the names of the fences around untrusted text.
 */
export function makeStatementsMessages(
  topic: string,
  context: ShownContext,
  seed: number,
  edition: Edition,
): Message[] {
  return buildPrompt(
    topic,
    seed,
    [contextPart(context, seed, edition)],
    [
      `Say what this plan has to contain and respect, from your domain alone. The others do the same for theirs; you do not see it yet. statements: at most ${MOST_STATEMENTS}, the most important first.`,
      STATEMENT_TASK,
      NOT_KNOWN,
    ],
  );
}

/**
 * Returns the schema of the conflicts that a reader finds. In edition 1 of the rules, a conflict
 * has no field `given`.
 * @param ids the ids of the statements
 */
export function conflictsSchema(
  ids: readonly string[],
  edition: Edition,
): z.ZodType<{ conflicts: FoundConflict[] }> {
  const question = makeStatementSchema(400).refine((text) => !namesKind(text), TOLD_AGAIN);
  const statements = z.array(makeChoiceSchema(ids)).min(1).max(MOST_NAMED);
  const given = z.array(makeChoiceSchema(ids)).max(MOST_NAMED);
  const rest = { why: z.string(), kind: z.enum(CONFLICT_KINDS) };
  const makeSchema = <T extends z.ZodType>(conflict: T) =>
    z.object({ conflicts: z.array(conflict).max(MOST_CONFLICTS) });
  return edition === 1
    ? makeSchema(z.object({ question, statements, ...rest }))
    : makeSchema(z.object({ question, statements, given, ...rest }));
}

/** Returns whether a question is no more than the name of a kind: "trade-off". */
function namesKind(question: string): boolean {
  const name = question.replace(/^[\s"'“”‘’<([]+|[\s"'“”‘’>)\].?!]+$/g, '').toLowerCase();
  return CONFLICT_KINDS.some((kind) => kind === name);
}

const KINDS =
  'kind: "contradiction" where not all can be done; "trade-off" where they can at a price that somebody must choose; "unowned" where something has to be done or known and nobody takes it; "against-context" where a statement does not go with what its own seat quotes.';

const CONFLICTS_TASK = {
  1: `conflicts: one for each question that somebody has to decide. question: so that each of its statements is an answer. statements: their ids. ${KINDS}`,
  2: [
    'conflicts: one for each question that somebody has to decide. question: so that each of its statements is an answer to it. statements: the ids of these answers. given: the ids of statements that show why not all of the answers can be followed and are no answer themselves, as a size that was measured, or the day on which something can be finished at the earliest; [] where the answers alone show it.',
    'Seats choose among the answers and give the others up. What is given stands whatever they choose: what somebody would have to give up is an answer. Where there is one answer only and another statement excludes it, both are answers.',
    KINDS,
  ].join(' '),
} as const satisfies Record<1 | 2, string>;

/**
 * Builds the prompt that asks a reader for conflicts between statements.
 * @param mixed the statements that are not withdrawn, and the planted one if there is one, in an order that does not
 * give it away
 * @param known the conflicts that the reader need not name again
 * @param seed decides the names of the fences around untrusted text
 */
export function conflictsMessages(
  topic: string,
  mixed: readonly Statement[],
  known: readonly Conflict[],
  seed: number,
  edition: Edition,
): Message[] {
  const before = known.map(
    ({ id, question, options, given = [] }) =>
      `${id}: ${cleanTagLabel(question)} (${options.join(', ')}${given.length === 0 ? '' : `; given: ${given.join(', ')}`})`,
  );
  return buildPrompt(
    topic,
    seed,
    withoutFalse([
      statementsPart('What the specialists said:', mixed, seed),
      before.length !== 0 && `Questions that are on record already:\n${before.join('\n')}`,
    ]),
    [
      'Which of these statements cannot all be followed? Compare every statement with every other one: figures, what is to be true at the same time, who is to do what, and what only follows from two or three of them together.',
      CONFLICTS_TASK[edition === 1 ? 1 : 2],
      'Name no pair that only speaks of the same thing. Do not decide any of them. Do not repeat a question that is on record; name it again only with a statement that it lacks. Two questions are two, also where a statement is in both.',
    ],
  );
}

/**
 * Returns the schema of a seat's answers in a later round.
 * @param conflicts ids of the questions that the seat answers
 * @param options ids of the options that it may accept
 * @param own ids of its own statements, which it may change or withdraw
 */
export function answersSchema(
  conflicts: readonly string[],
  options: readonly string[],
  own: readonly string[],
  edition: Edition,
) {
  return z.object({
    answers: z.array(
      z.object({
        conflict: makeChoiceSchema(conflicts),
        says: z.enum(
          edition < 3 ? ['accepts', 'compatible'] : ['accepts', 'compatible', 'misread'],
        ),
        accepts: z.array(makeChoiceSchema(options)),
        prefers: z.string(),
        why: z.string().max(600),
      }),
    ),
    change: z.array(
      z.object({
        id: makeChoiceSchema(own),
        text: makeStatementSchema(900),
        because: z.string().max(600),
      }),
    ),
    withdraw: z.array(
      z.object({ id: makeChoiceSchema(own), why: z.string().min(1), conflict: z.string() }),
    ),
    add: z.array(statementSchema.extend({ conflict: z.string() })).max(4),
  });
}

/** A seat's answers and changes in a later round. */
export type Answers = z.infer<ReturnType<typeof answersSchema>>;

/**
 * Builds the prompt that asks a seat for answers to its questions, and for changes of its statements. `seed`
 * decides the names of the fences around untrusted text.
 */
export function answersMessages(
  topic: string,
  about: {
    readonly context: ShownContext;
    readonly conflicts: readonly Conflict[];
    /** The options of the questions, except the seat's own, with their reasons. */
    readonly statements: readonly Statement[];
    /** Statements that the questions rest on. */
    readonly given: readonly Statement[];
    /** All other statements, of which only ids and the beginnings are shown. */
    readonly others: readonly Statement[];
    readonly own: readonly Statement[];
    /** The latest answer of each seat to each of the questions, from earlier rounds. */
    readonly said: readonly SaidSoFar[];
    readonly round: number;
    /** The most rounds that the plan has. */
    readonly rounds: number;
  },
  seed: number,
  edition: Edition,
): Message[] {
  const { context, conflicts, statements, given, others, own, said } = about;
  const isLast = edition > 1 && about.round >= about.rounds;
  const questions = conflicts.map(({ id, question, kind, why, options, given: rest = [] }) =>
    [
      `${id} (${kind}): ${toLine(question)}`,
      `Why: ${toLine(why)}`,
      `Options: ${options.join(', ')}`,
      ...(rest.length === 0 ? [] : [`Given, and no option: ${rest.join(', ')}`]),
      ...said.filter(({ answer }) => answer.conflict === id).map(tellAnswer),
    ].join('\n'),
  );
  return buildPrompt(
    topic,
    seed,
    withoutFalse([
      contextPart(context, seed, edition),
      statementsPart('Your statements, as they stand:', own, seed),
      statementsPart('The statements that the questions are about:', statements, seed),
      given.length !== 0 &&
        statementsPart('What is given in the questions and cannot be chosen:', given, seed),
      others.length !== 0 &&
        `What else was said, by title:\n\n${encloseInTags('record', makeNonce(seed, 'others'), 'titles', others.map(titleOf).join('\n'))}`,
      `The questions:\n\n${encloseInTags('record', makeNonce(seed, 'questions'), 'questions', questions.join('\n\n'))}`,
    ]),
    [
      ...(edition === 1 ? [] : [roundWords(about, isLast)]),
      `answers: one for each question. says: "accepts" with the ids of all options that you can live with, your own among them only if you still hold it; or "compatible" where all options can be followed at once, with how in why${edition < 3 ? '' : '; or "misread" where a statement does not say what the question takes it to say, with its id and its words in why: somebody who sees these statements alone then looks whether that is so'}. Your answer holds for the words as they stand here. prefers: the id that you would choose, or ""${edition === 1 ? '' : '; where all concerned accept the same two or more, the one is taken that everybody prefers who prefers any'}. why: what in your domain decides it for you. To give way without a ground helps nobody: hold what you have a ground for.`,
      `change: new words for a statement of yours, by id; because: their ground, or "" to keep the one it has. withdraw: statements of yours that you take back, by id, with why and the question it is for, or "". add: what only now has to be said; conflict: the question that it is a way out of, which makes it an option there ${isLast ? 'that a person may choose' : 'for everybody concerned to accept in the next round'}, or "". What you do not name stands as it is.`,
      'Where no option can be lived with by all, offer one that keeps what each side has a ground for, and say what it costs.',
      STATEMENT_TASK,
    ],
  );
}

function roundWords(
  { round, rounds }: { readonly round: number; readonly rounds: number },
  isLast: boolean,
): string {
  return isLast
    ? `This is round ${round} of ${rounds}, the last one: nobody can answer what is changed or added now, and a question whose option is reworded now stays open.`
    : `This is round ${round} of at most ${rounds}.`;
}

/** The latest answer of a seat to a question. */
export interface SaidSoFar {
  readonly role: string;
  readonly answer: Answer;
}

function tellAnswer({ role, answer }: SaidSoFar): string {
  if ('compatible' in answer)
    return `So far ${role} says that they go together: ${toLine(answer.compatible)}`;
  if ('misread' in answer)
    return `So far ${role} says that it is misread: ${toLine(answer.misread)}`;
  const { accepts, prefers, why } = answer;
  return `So far ${role} accepts ${accepts.join(', ') || 'none'}${prefers === undefined ? '' : `, prefers ${toLine(prefers)}`}: ${toLine(why)}`;
}

/** Shortens a statement to one line. The text is included, since a title alone does not say enough. */
function titleOf({ id, title, text }: Statement): string {
  return `${id}: ${cutText(toLine(title === undefined ? text : `${title}: ${text}`), TITLE)}`;
}
