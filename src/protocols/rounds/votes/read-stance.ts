/** Reads a seat's vote from its answer, or the reason why the vote cannot be counted. */
import type * as z from 'zod';
import { repeatsForm } from '../../../text/form-words.ts';
import { explainRefusedOption } from '../../common/voting/refused-option.ts';
import { shortenOption } from '../../common/voting/votes.ts';
import { ROLE_SENTENCES } from '../cast.ts';
import {
  ALONE,
  recordedStanceSchema,
  STANCE_FIELDS,
  STANCE_WITH_PEERS,
  WITH_PEERS,
} from '../prompts/stance.ts';

type Stance = z.infer<typeof recordedStanceSchema>;
type StanceReading = { readonly stance: Stance } | { readonly why: string };

const SENTENCE_ENDS = /(?<=[.;:?])\s+/;
const INSTRUCTIONS = Object.values(STANCE_FIELDS);
/** What the program itself writes into the prompt of a vote. */
const TOLD = [ALONE, WITH_PEERS, ...STANCE_WITH_PEERS.split(SENTENCE_ENDS)];

/**
 * Reads a seat's vote from its answer. Returns the reason why the vote cannot be counted if the
 * chosen option is a question, says nothing, or only repeats the prompt. If the explanation of the
 * vote (`position`) only repeats the prompt or says nothing, it is replaced by the option. Returns
 * undefined if the answer has no option.
 * @param brief what the seat itself was told about its role
 * @param question the question of the run; absent if it is not known
 */
export function readStance(
  value: unknown,
  brief: string,
  question?: string,
): StanceReading | undefined {
  const parsed = recordedStanceSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const option = shortenOption(parsed.data.option);
  if (option === '') return undefined;
  if (isForm(parsed.data.option) || isForm(option)) return { why: 'its option repeats the form' };
  const told = [...ROLE_SENTENCES, ...brief.split(SENTENCE_ENDS)];
  if (repeatsForm(option, told)) return { why: 'its option repeats what a role is told' };
  const { position: written } = parsed.data;
  const why = explainRefusedOption(parsed.data.option, option, {
    question,
    told: TOLD,
    said: written,
  });
  if (why !== undefined) return { why };
  const saysNothing =
    explainRefusedOption(written, written, { question, told: TOLD }) !== undefined;
  const position = isForm(written) || saysNothing ? option : written;
  return { stance: { ...parsed.data, option, position } };
}

function isForm(text: string): boolean {
  return repeatsForm(text, INSTRUCTIONS);
}
