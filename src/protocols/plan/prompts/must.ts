/** Builds the question that a seat is asked alone before its own must is given up. */
import * as z from 'zod';
import type { Message } from '../../../kernel/model.ts';
import { cleanTagLabel } from '../../common/prompts/fence.ts';
import type { Edition } from '../config.ts';
import type { Conflict } from '../rules/conflicts.ts';
import type { QuestionStanding } from '../rules/settle.ts';
import type { Statement } from '../rules/statements.ts';
import { buildPrompt, statementsPart } from './opening.ts';

/**
 * The schema of a seat's answer when it is asked whether it insists on a constraint that it had
 * marked as a must.
 */
export const mustSchema = z.object({ holds: z.boolean(), why: z.string().max(600) });

interface AskedMust {
  readonly conflict: Conflict;
  /** The must, which may have been withdrawn by its own seat. */
  readonly must: Statement;
  /** The options that are not withdrawn. */
  readonly options: readonly Statement[];
  /** Statements that the question rests on and that are not withdrawn. */
  readonly given: readonly Statement[];
  readonly standing: QuestionStanding;
  /** The seats that have an option in the question. */
  readonly seats: readonly string[];
}

/**
 * Builds the prompt that asks a seat alone whether it insists on a statement that it called a must. `seed`
 * decides the names of the fences around untrusted text.
 */
export function mustMessages(
  topic: string,
  asked: AskedMust,
  seed: number,
  edition: Edition,
): Message[] {
  const { conflict, must, options, given } = asked;
  return buildPrompt(
    topic,
    seed,
    [
      statementsPart('You said, and called it a must:', [must], seed),
      statementsPart(
        'The other options of the question are:',
        options.filter(({ id }) => id !== must.id),
        seed,
      ),
      ...(given.length === 0
        ? []
        : [statementsPart('What is given in the question and cannot be chosen:', given, seed)]),
    ],
    [
      `The question is: ${cleanTagLabel(conflict.question)} (${cleanTagLabel(conflict.why)})`,
      edition === 1 ? agreementWords(asked) : fateWords(asked),
      'You are asked alone: the other seats see neither this question nor your answer; it is for whoever decides. holds: true if what you called a must still is one in your domain and would be broken; false if it no longer is one, or if what would be taken instead keeps what it was for. why: what happens if it falls, or what keeps it.',
    ],
  );
}

/** Says what was agreed on, in the words of edition 1 of the rules. */
function agreementWords({ standing: { outcome } }: AskedMust): string {
  return outcome === undefined || !('option' in outcome)
    ? 'The seats have not agreed on any of them.'
    : `All seats concerned accept ${outcome.option}, you among them; yours would be given up for it.`;
}

/** Says what state the question is in and what happens to the requirement. */
function fateWords({ must, standing, seats }: AskedMust): string {
  const { outcome, accepts, why } = standing;
  const isGone = must.state === 'withdrawn';
  const gone = 'You have taken yours back; it does not stand any more.';
  if (outcome === undefined)
    return `It is not settled, because ${why}. ${isGone ? gone : 'Yours falls if another option is chosen.'}`;
  if ('compatible' in outcome)
    return `All seats concerned say that the options go together, you among them. ${isGone ? gone : 'Yours falls only if another option is chosen all the same.'}`;
  const { option } = outcome;
  const isAccepted = seats.every((role) => accepts[role]?.includes(option));
  return [
    isAccepted
      ? `All seats concerned accept ${option}, you among them.`
      : `${option} is what is left: the other options were withdrawn.`,
    isGone ? gone : 'Yours would be given up for it.',
  ].join(' ');
}
