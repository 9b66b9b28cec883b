/** Builds the prompt for the spec, which has to account for everything that was said and decided. */

import * as z from 'zod';
import { makeNonce } from '../../../kernel/chance.ts';
import type { Message } from '../../../kernel/model.ts';
import { toLine } from '../../../text/line.ts';
import { withoutFalse } from '../../../text/without-undefined.ts';
import { cleanTagLabel, encloseInTags } from '../../common/prompts/fence.ts';
import { makeChoiceSchema } from '../../common/prompts/one-of.ts';
import { makeStatementSchema } from '../../common/prompts/statement.ts';
import { type Edition, PERSON } from '../config.ts';
import type { Conflict } from '../rules/conflicts.ts';
import type { QuestionStanding } from '../rules/settle.ts';
import { type Checks, openConflicts } from '../rules/spec.ts';
import { findLiveStatements, type Statement } from '../rules/statements.ts';
import { buildPrompt, statementsPart } from './opening.ts';

const MOST_FIXES = 6;

/**
 * A fix as the chair drafts it. `replacement` is absent before edition 4 of the rules, and empty if
 * `change` only says in words what to do.
 */
interface DraftedFix {
  readonly title: string;
  readonly path: string;
  readonly quotation: string;
  readonly problem: string;
  readonly change: string;
  readonly replacement?: string;
}

const fixSchema = z.object({
  title: z.string().min(1).max(300),
  path: z.string().max(300),
  quotation: z.string().max(1_200),
  problem: z.string().max(900),
  change: z.string().max(900),
});

/**
 * Returns the schema of a draft of the spec (the finished plan).
 * @param ids the ids of the statements that it may cite
 */
export function draftSchema(ids: readonly string[], edition: Edition) {
  const fix: z.ZodType<DraftedFix> =
    edition < 4 ? fixSchema : fixSchema.extend({ replacement: z.string().max(2_400) });
  const from = z.array(makeChoiceSchema(ids));
  const cited = z.array(z.object({ text: makeStatementSchema(900), from }));
  return z.object({
    goal: makeStatementSchema(1_200),
    outOfScope: z.array(z.string().max(400)),
    decisions: cited,
    interfaces: cited,
    data: cited,
    tasks: z.array(
      z.object({
        title: z.string().min(1).max(300),
        files: z.array(z.object({ path: z.string().max(300), isNew: z.boolean() })),
        from,
        after: z.array(z.number().int()),
        test: z.string().max(600),
        doneWhen: z.string().max(600),
      }),
    ),
    risks: cited,
    openQuestions: cited,
    fixes: z.array(fix).max(MOST_FIXES),
    notCarried: z.array(z.object({ id: makeChoiceSchema(ids), why: z.string().max(400) })),
  });
}

/** Returns how the options of a question go together where the person has said so; "" elsewhere. */
function howTogether(standing: QuestionStanding | undefined): string {
  const { outcome } = standing ?? {};
  if (outcome === undefined || !('compatible' in outcome)) return '';
  return outcome.compatible
    .filter(({ role }) => role === PERSON)
    .map(({ how }) => `: ${toLine(how)}`)
    .join('');
}

interface Earlier {
  readonly text: string;
  readonly forgotten: readonly string[];
  readonly refused: readonly { readonly text: string; readonly why: string }[];
  readonly checks?: Checks | undefined;
}

/**
 * Builds the prompt that asks the chair for a draft of the spec (the finished plan).
 * @param seed decides the names of the fences around untrusted text
 */
export function draftMessages(
  topic: string,
  basis: {
    readonly statements: readonly Statement[];
    readonly conflicts: readonly Conflict[];
    readonly standings: readonly QuestionStanding[];
    readonly notHeard: readonly { readonly role: string; readonly why: string }[];
    readonly edition?: Edition | undefined;
  },
  /** What research found in the code. */
  found: readonly { readonly text: string; readonly place: string; readonly quotation: string }[],
  /** An earlier draft with its faults; undefined at first. */
  earlier: Earlier | undefined,
  seed: number,
): Message[] {
  const standings = new Map(basis.standings.map((standing) => [standing.conflict, standing]));
  const open = new Set(openConflicts(basis).map(({ id }) => id));
  const standing = new Set(findLiveStatements(basis.statements).map(({ id }) => id));
  const isThird = (basis.edition ?? 1) >= 3;
  const optionsOf = (options: readonly string[]): string => {
    const left = options.filter((id) => !isThird || standing.has(id));
    const gone = options.filter((id) => !left.includes(id));
    return `Options: ${left.join(', ') || 'none'}.${gone.length === 0 ? '' : ` Given up: ${gone.join(', ')}.`}`;
  };
  const questions = basis.conflicts.map(
    ({ id, question, options, given = [] }) =>
      `${id}: ${toLine(question)} ${optionsOf(options)}${given.length === 0 ? '' : ` It rests on ${given.join(', ')}.`} ${open.has(id) ? `OPEN, take no side: ${standings.get(id)?.why ?? ''}` : `Settled: ${standings.get(id)?.why ?? ''}${howTogether(standings.get(id))}`}`,
  );
  return buildPrompt(
    topic,
    seed,
    withoutFalse([
      statementsPart('What stands after the debate:', findLiveStatements(basis.statements), seed),
      questions.length !== 0 &&
        `The questions and how they were settled:\n\n${encloseInTags('record', makeNonce(seed, 'questions'), 'questions', questions.join('\n'))}`,
      found.length !== 0 &&
        `What was found in the code; unconfirmed:\n\n${encloseInTags('record', makeNonce(seed, 'found'), 'claims', found.map(({ text, place, quotation }) => `${place}: ${toLine(text)} "${toLine(quotation)}"`).join('\n'))}`,
      basis.notHeard.length !== 0 &&
        `Not heard: ${basis.notHeard.map(({ role, why }) => `${cleanTagLabel(role)} (${cleanTagLabel(why)})`).join(', ')}.`,
      earlier !== undefined &&
        `Your first draft:\n\n${encloseInTags('record', makeNonce(seed, 'draft'), 'draft', earlier.text)}`,
    ]),
    [
      'Write the plan. Every statement above has to be cited by id, in from, by a decision, an interface, a change of data, a task, a risk or an open question; or to stand under notCarried with its id and the reason. Code counts them.',
      'goal: what will be true when this is done, in two or three sentences. outOfScope: what somebody could expect of it and will not get. decisions: what is decided, each resting on statements that stand; nothing that takes a side in a question that is open. tasks: in the order in which they are done; files: paths that stand above, or isNew; none where you know none; after: numbers of tasks, from 1, that must come first; test: what is written before the code; doneWhen: what somebody can see. A task may cite a side of an open question only if it is right whatever becomes of that. risks: with what is done about each. openQuestions: what nobody knows and somebody has to find out; the questions above that are open are listed by code, with their options.',
      `fixes: only what is wrong in the code as it stands, whatever becomes of this plan; none is the usual answer. path and quotation: where, copied letter for letter; code looks whether it stands there.${(basis.edition ?? 1) < 4 ? '' : ' change: in words. replacement: what is to stand there in place of the quotation and nothing else, whole, so that it can be put there as it is; "" where it takes more than that or you have not seen enough of the file.'}`,
      'Add nothing that nobody said, and change no figure.',
      ...(earlier === undefined
        ? []
        : [
            earlier.forgotten.length === 0
              ? 'Hand your first draft in again, mended.'
              : `Hand your first draft in again, mended. It left out ${earlier.forgotten.join(', ')}: cite each of them or put it under notCarried.`,
            ...earlier.refused.map(
              ({ text, why }) =>
                `Not taken of it: "${cleanTagLabel(text)}", because ${cleanTagLabel(why)}.`,
            ),
            ...(earlier.checks?.notCarried ?? []).map(
              ({ text, from, why }) =>
                `Not carried by ${from.join(', ')}: "${cleanTagLabel(text)}" (${cleanTagLabel(why)}). Say no more than what it cites, or cite what carries it.`,
            ),
            ...(earlier.checks?.contradictions ?? []).map(
              ({ parts, why }) =>
                `These do not go together (${cleanTagLabel(why)}): ${parts.map((part) => `"${cleanTagLabel(part)}"`).join(' and ')}. Keep what was decided; what was given up is not done.`,
            ),
          ]),
    ],
  );
}
