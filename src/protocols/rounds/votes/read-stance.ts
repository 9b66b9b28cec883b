/** Reads where a seat stands, and says why an answer that has the form of a stance is none. */
import type * as z from 'zod';
import { repeatsForm } from '../../../text/form-words.ts';
import { ballotOption } from '../../common/votes.ts';
import { ROLE_SENTENCES } from '../cast.ts';
import { recordedStanceSchema, STANCE_FIELDS } from '../prompts/stance.ts';

type Stance = z.infer<typeof recordedStanceSchema>;
type StanceReading = { readonly stance: Stance } | { readonly why: string };

const SENTENCE_ENDS = /(?<=[.;:?])\s+/;
const INSTRUCTIONS = Object.values(STANCE_FIELDS);

/**
 * Reads a stance, with its option in the form that ballots use. Returns a reason instead if the option
 * repeats the form or what seats are told of their roles, and undefined if the answer has no option. A
 * position that repeats the form is replaced by the option.
 *
 * @param brief what the seat itself was told of who it is
 */
export function readStance(value: unknown, brief: string): StanceReading | undefined {
  const parsed = recordedStanceSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const option = ballotOption(parsed.data.option);
  if (option === '') return undefined;
  if (isForm(parsed.data.option) || isForm(option)) return { why: 'its option repeats the form' };
  const told = [...ROLE_SENTENCES, ...brief.split(SENTENCE_ENDS)];
  if (repeatsForm(option, told)) return { why: 'its option repeats what a role is told' };
  const position = isForm(parsed.data.position) ? option : parsed.data.position;
  return { stance: { ...parsed.data, option, position } };
}

function isForm(text: string): boolean {
  return repeatsForm(text, INSTRUCTIONS);
}
