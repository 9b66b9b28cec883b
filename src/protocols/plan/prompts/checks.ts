/**
 * Builds the prompts of readers of a finished spec: whether a part follows from its citation, and whether
 * parts contradict one another.
 */
import * as z from 'zod';
import { makeNonce } from '../../../kernel/chance.ts';
import type { Message } from '../../../kernel/model.ts';
import { toLine } from '../../../text/line.ts';
import { encloseInTags } from '../../common/prompts/fence.ts';
import { makeChoiceSchema } from '../../common/prompts/one-of.ts';
import type { Edition } from '../config.ts';
import type { Part } from '../rules/checks.ts';
import { buildPromptWithoutTopic } from './opening.ts';

/**
 * The schema of a reader's verdict on one part of the spec: whether it follows from the statements that it cites
 * (`carried`), the words of a statement that show it (`quotation`), and what no statement says (`missing`).
 */
export const citationSchema = z.object({
  carried: z.enum(['wholly', 'partly', 'not']),
  quotation: z.string().max(900),
  missing: z.string().max(600),
});

/**
 * Builds the prompt that asks a reader whether one part of a spec follows from the statements that
 * it cites. The reader sees neither the topic nor the rest of the plan.
 * @param seed decides the names of the fences around untrusted text
 */
export function carriedMessages(
  text: string,
  statements: readonly {
    readonly id: string;
    readonly text: string;
    readonly because?: string | undefined;
  }[],
  seed: number,
): Message[] {
  const id = makeNonce(seed, 'carried');
  return buildPromptWithoutTopic(
    [
      encloseInTags('record', id, 'decision', text),
      ...statements.map((statement) =>
        encloseInTags(
          'answer',
          id,
          `statement ${statement.id}`,
          statement.because === undefined
            ? statement.text
            : `${statement.text}\nBecause: ${statement.because}`,
        ),
      ),
    ],
    [
      'The decision is said to follow from the statements below it. Does it? carried: "wholly" if everything that the decision says stands in the statements or follows from them, in whatever words; "partly" if it also says something that they leave open, as a figure, a name or a condition of its own; "not" if they are about something else or say the opposite. That both are about the same thing carries nothing. quotation: the words of one statement that carry it most, copied letter for letter; code looks whether they stand there; "" if there are none. missing: what the decision says and no statement does, in a sentence, or "".',
    ],
  );
}

/**
 * Returns the schema of the contradictions that a reader finds among the parts of a spec.
 * @param ids the labels of the parts
 */
export function comparedSchema(ids: readonly string[]) {
  return z.object({
    contradictions: z
      .array(
        z.object({
          one: makeChoiceSchema(ids),
          quotationOfOne: z.string().max(900),
          other: makeChoiceSchema(ids),
          quotationOfOther: z.string().max(900),
          why: z.string().max(600),
        }),
      )
      .max(21),
  });
}

/**
 * Builds the prompt that asks a reader for contradictions among the given parts of a spec, and between the parts
 * and the statements that were given up. `edition` is the edition of the rules that the run follows. `seed` decides
 * the names of the fences around untrusted text.
 */
export function comparedMessages(
  parts: readonly Part[],
  seed: number,
  edition: Edition,
): Message[] {
  const formatRows = (of: readonly Part[]): string =>
    of
      .map(({ id, text, taken }) =>
        toLine(`${id}: ${text}${taken === undefined ? '' : ` Taken in its place: ${taken}`}`),
      )
      .join('\n');
  const made = parts.filter(({ isGivenUp }) => isGivenUp === undefined);
  const lost = parts.filter(({ isGivenUp }) => isGivenUp === true);
  return buildPromptWithoutTopic(
    [
      `The parts of a plan (D: decisions, I: interfaces, C: changes of data, T: tasks):\n\n${encloseInTags('record', makeNonce(seed, 'parts'), 'parts', formatRows(made))}`,
      ...(lost.length === 0
        ? []
        : [
            `What was said before and given up, because something else was decided:\n\n${encloseInTags('record', makeNonce(seed, 'lost'), 'given up', formatRows(lost))}`,
          ]),
    ],
    [
      `Compare every part with every other one, and with what was given up. contradictions: each pair of parts that cannot both be followed, and ${edition < 4 ? DOES_GIVEN_UP : DOES_AGAINST_TAKEN}; [] if there is none. Two given-up statements are no pair. That two parts are about the same thing, or that one is more exact than the other, is no contradiction. quotationOfOne and quotationOfOther: the words of each that show it, copied letter for letter; code looks whether they stand there. why: what cannot be done, in a sentence.`,
    ],
  );
}

const DOES_GIVEN_UP =
  'each part that still does what was given up (one: the part, other: the id of what was given up)';

/**
 * The instruction from edition 4 of the rules on: the chosen option may repeat much of the one that was
 * given up.
 */
const DOES_AGAINST_TAKEN =
  'each part that does what was given up and cannot be followed together with what was taken in its place (one: the part, other: the id of what was given up). What was taken may say in part the same as what was given up: whoever does that does what was decided';
