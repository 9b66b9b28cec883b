/** Builds the prompts for a control: one more statement of a seat, which contradicts another seat's. */

import * as z from 'zod';
import type { Message } from '../../../kernel/model.ts';
import { withoutFalse } from '../../../text/without-undefined.ts';
import { cleanTagLabel } from '../../common/prompts/fence.ts';
import { makeChoiceSchema } from '../../common/prompts/one-of.ts';
import type { Edition } from '../config.ts';
import { wantsFigure } from '../rules/conspicuous.ts';
import { measureStatements, tellRange } from '../rules/inconspicuous.ts';
import type { Statement } from '../rules/statements.ts';
import {
  type ControlInstructions,
  MAX_SHARED_RUN,
  wantsGround,
  wantsTitle,
} from '../rules/written-control.ts';
import { buildPrompt, statementsPart } from './opening.ts';

/**
 * Returns the schema of the answer in which a model writes a control (a statement to be planted).
 * @param candidates ids of the statements of which the control has to contradict one
 */
export function controlSchema(candidates: readonly string[]) {
  return z.object({
    of: makeChoiceSchema(candidates),
    text: z.string().min(1).max(900),
    because: z.string().max(600),
    title: z.string().max(120),
  });
}

/**
 * Builds the prompt that asks a model to write a control (a statement that is planted to test
 * readers). Used in editions 3 and 4 of the rules.
 * @param seed decides the names of the fences around untrusted text
 */
export function controlMessages(
  topic: string,
  asked: ControlInstructions,
  /** All statements that are not withdrawn. */
  statements: readonly Statement[],
  /** An earlier control with the reason why code refused it; undefined at first. */
  earlier: { readonly text: string; readonly why: string } | undefined,
  seed: number,
): Message[] {
  const { role, own, candidates } = asked;
  const rest = statements.filter(
    (statement) => !own.includes(statement) && !candidates.some(({ id }) => id === statement.id),
  );
  return buildPrompt(
    topic,
    seed,
    [
      statementsPart(`What ${cleanTagLabel(role)} said:`, own, seed),
      statementsPart('What others said, of which you choose one:', candidates, seed),
      ...(rest.length === 0 ? [] : [statementsPart('What else was said:', rest, seed)]),
    ],
    withoutFalse([
      'Somebody will look for contradictions in all of these. To see whether they read carefully, one more statement is put among them, which contradicts one of the others. Write it.',
      `of: the statement that it contradicts; choose one that no other statement contradicts already and that says something definite. text: what ${cleanTagLabel(role)} could have said in earnest about its own domain, so that both cannot be followed. It is wrong in no other way: whoever reads it alone finds it sensible, and it goes together with everything else above. The contradiction has to be in the matter itself: another way of doing it, another place, time, order, owner or amount, said from this seat's side and for a reason of its own, and never a denial of the other sentence. Neither may it be a matter of degree or of taste: somebody who reads both carefully must have to say that only one can be followed.`,
      `It reads like the other statements of ${cleanTagLabel(role)}: as long, as plain, the same names for the same things. No more than ${MAX_SHARED_RUN} words in a row that stand in another statement, no ids, nothing that only an answer to the other statement would say ("instead", "not even", "still").`,
      `because: ${wantsGround(asked) ? 'a ground of its own, as the others have' : '""'}. title: ${wantsTitle(asked) ? 'a heading, as the others have' : '""'}.`,
      earlier !== undefined &&
        `Not taken: "${cleanTagLabel(earlier.text)}", because ${cleanTagLabel(earlier.why)}. Write another.`,
    ]),
  );
}

/** How many controls are asked for at once, from edition 5 of the rules on; code takes one of them. */
const CONTROLS_ASKED = 3;

/** A control (a planted statement) that code refused, with the reason. */
export interface RefusedControl {
  readonly text: string;
  readonly why: string;
}

/**
 * Returns the schema of several controls (planted statements). Used from
 * edition 5 of the rules on.
 * @param candidates ids of the statements that they may contradict
 */
export function controlsSchema(candidates: readonly string[]) {
  return z.object({
    controls: z.array(controlSchema(candidates)).min(1).max(CONTROLS_ASKED),
  });
}

/**
 * Builds the prompt that asks a model to write several controls (planted statements) in the name of one seat. Each
 * is to resemble a statement of that seat, and to contradict none of the documents that the seat was shown. Used
 * from edition 5 of the rules on.
 * @param seed decides the names of the fences around untrusted text
 */
export function controlsMessages(
  topic: string,
  asked: ControlInstructions,
  /** All statements that are not withdrawn. */
  statements: readonly Statement[],
  /** The documents that the seat was shown, as a part of the prompt. */
  context: string,
  refused: readonly RefusedControl[],
  seed: number,
  edition: Edition,
): Message[] {
  const { role, own, candidates } = asked;
  const rest = statements.filter(
    (statement) => !own.includes(statement) && !candidates.some(({ id }) => id === statement.id),
  );
  const seat = cleanTagLabel(role);
  return buildPrompt(
    topic,
    seed,
    [
      `What ${seat} was shown of the project's documents, as it was told ("your domain" is its own):\n\n${context}`,
      statementsPart(`What ${seat} said:`, own, seed),
      statementsPart('What others said, of which you choose:', candidates, seed),
      ...(rest.length === 0 ? [] : [statementsPart('What else was said:', rest, seed)]),
    ],
    withoutFalse([
      'Somebody will look for contradictions in all of these. To see whether they read carefully, one more statement is put among them, which contradicts one of the others. Whoever knows that one was added must not be able to tell which.',
      ...(edition < 7 ? styleBefore(asked, edition) : tellStyle(asked)),
      refused.length !== 0 &&
        `Not taken:\n${refused.map(({ text, why }) => `- "${cleanTagLabel(text)}", because ${cleanTagLabel(why)}`).join('\n')}\nWrite others.`,
    ]),
  );
}

/** The instructions of editions 5 and 6 on what a control says and how it is written. */
function styleBefore({ role, own, like }: ControlInstructions, edition: Edition): string[] {
  const asked = { own, like };
  const seat = cleanTagLabel(role);
  return [
    `controls: ${CONTROLS_ASKED} such statements to choose from, each against another statement. of: the statement that it contradicts; one that says something definite and that nobody contradicts already. text: what ${seat} would have said in this discussion without knowing the other statement: what its own work needs, does or has agreed to, which cannot be done where the other statement is followed. It says how its own domain does something, and neither denies the other statement nor answers it nor speaks about it. Somebody who reads both carefully has to say that only one can be followed: that the other is harder, dearer or later is not enough. It goes together with everything else above, and contradicts none of the documents.`,
    `It looks like ${like?.id ?? 'a statement'} of ${seat}: as long, as plain, as sure, the same names for the same things. because: ${wantsGround(asked) ? `a ground as good and as long as that one has: something that was measured, counted, signed or refused, from the documents where they have it, and better than the ground of the other statement; or a mere habit, if that is what the one it looks like rests on` : '""'}. title: ${wantsTitle(asked) ? 'a heading, as that one has' : '""'}.`,
    `No more than ${MAX_SHARED_RUN} words in a row that stand in another statement, less than half of the words of the other one, no ids, no word that only makes sure of the contradiction ("never", "forever", "under no circumstances") or answers somebody ("instead", "still", "not even", "rather than").`,
    ...(edition < 6 ? [] : figureWanted(asked, seat, edition)),
  ];
}

/**
 * The instructions from edition 7 on: code measures what a reader found controls by who had been told that
 * there is one, and the writer is told the measures.
 */
function tellStyle({ role, own, like }: ControlInstructions): string[] {
  const asked = { own, like };
  const seat = cleanTagLabel(role);
  const { text, because, figures } = measureStatements(own);
  const ground = wantsGround(asked) && because !== undefined;
  return [
    `controls: ${CONTROLS_ASKED} such statements to choose from, each against another statement. of: the statement that it contradicts; one that says something definite and that nobody contradicts already.`,
    `text: begin with ${seat}, and leave the other statement aside: what else does its work need, do, promise or forbid, of which it speaks above or in its documents? Take one such thing that cannot be done where the other statement is followed, and say it as ${seat} says the rest, not knowing that the other statement exists. Its subject is one of ${seat}'s own. It denies nothing, answers nobody and speaks of no other seat's work. Whoever reads it alone thinks of nothing else; whoever follows both through has to say that only one can be done: that the other is harder, dearer or later is not enough, and neither is another way of putting it. It goes together with everything else above, and contradicts none of the documents.`,
    `It looks like ${like?.id ?? 'a statement'} of ${seat}: as plain, as sure, the same names for the same things, ${tellRange(text)} words. because: ${ground ? `a ground such as ${seat} gives elsewhere, ${tellRange(because)} words, neither better nor worse: what was measured, counted, signed or refused where the one it looks like has that, or a habit where it has a habit` : '""'}. title: ${wantsTitle(asked) ? 'a heading, as that one has' : '""'}. ${figures === 0 ? 'No figures.' : `At most ${figures} figures in text and because.`}`,
    `No more than ${MAX_SHARED_RUN} words in a row that stand in another statement; at most two words of the other statement that ${seat} does not use itself; nothing that nobody else speaks of; no ids; no more "only", "every", "no", "never", "all" than ${seat} uses in a statement; nothing that makes sure of the contradiction or answers somebody ("but", "even", "instead", "still", "rather than").`,
    ...figureWanted(asked, seat, 7),
  ];
}

function figureWanted(
  { own }: Pick<ControlInstructions, 'own'>,
  seat: string,
  edition: Edition,
): string[] {
  return wantsFigure(own, edition)
    ? [`A figure in digits, in text or because: each statement of ${seat} has one.`]
    : [];
}
