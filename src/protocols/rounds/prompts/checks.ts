/** Phase E: the instructions for the verifier's four checks. */

import * as z from 'zod';
import { exampleCitations } from '../../../text/documents/parts.ts';
import { withoutFalse } from '../../../text/without-undefined.ts';
import { makeChoiceSchema } from '../../common/prompts/one-of.ts';
import { ROLE_INFO } from '../cast.ts';
import type { Document } from '../records/documents.ts';
import type { Check as CheckName, Role } from '../records/types.ts';
import { isSince, type PromptEdition } from './order.ts';

const RESULTS = ['BROKEN', 'ROBUST', 'UNCLEAR', 'NOT_APPLICABLE'] as const;

/** One of the four checks that the verifier makes in each round. */
export interface Check {
  readonly number: 1 | 2 | 3 | 4;
  readonly name: CheckName;
  /**
   * The roles whose artifacts the check compares; empty if it compares all artifacts with earlier decisions. If one of
   * the roles has handed nothing in, the result is NOT_APPLICABLE, and the verifier is not asked.
   */
  readonly between: readonly Role[];
  /** What the verifier is asked to find out. */
  readonly ask: string;
  /** The condition under which the result is BROKEN. */
  readonly broken: string;
  /** The condition under which the result is ROBUST. */
  readonly robust: string;
  /** The condition under which the result is UNCLEAR. */
  readonly unclear: string;
  /** The condition under which the result is NOT_APPLICABLE. */
  readonly void: string;
}

/** The four checks, in order. */
export const CHECKS: readonly Check[] = [
  {
    number: 1,
    name: 'critic_attack_on_action_trace',
    between: ['critic', 'action'],
    ask: 'Run the attack against each trace. Do its preconditions occur in practice, does it meet a step of a trace, and does the trace then end differently, or does the state it passes through break a rule it relies on?',
    broken: 'the preconditions are realistic and a trace flips or an invariant of its state breaks',
    robust: 'the traces hold, and you can name what guards them',
    unclear: 'the attack is argued but not shown',
    void: 'the attack reaches no step of any trace',
  },
  {
    number: 2,
    name: 'guardian_vs_observer_walkthrough',
    between: ['guardian', 'observer'],
    ask: 'Follow the walkthrough step by step with the invariant in hand. Does an action that a supported operator takes violate it?',
    broken: 'an operator action violates the invariant',
    robust: 'the violation is structurally prevented',
    unclear: 'whether the invariant holds on that path cannot be told from what is written',
    void: 'no step of the walkthrough touches what the invariant is about',
  },
  {
    number: 3,
    name: 'observer_friction_vs_critic_attack',
    between: ['observer', 'critic'],
    ask: 'Lay the friction points over the attack. Where a person stumbles, is that where the attacker walks in?',
    broken: 'a friction point is where the attack gets in',
    robust: 'the attack would succeed or fail alike without any of the friction points',
    unclear: 'they overlap, and whether one leads to the other cannot be told',
    void: 'there is no friction point, or no attack',
  },
  {
    number: 4,
    name: 'all_vs_prior_decisions',
    between: [],
    ask: 'Hold the proposal, what was added to it and every artifact of this round against the decisions that stand. Is a decision contradicted without a word about it?',
    broken: 'a decision is contradicted silently',
    robust: 'all are honoured, and what overturns one says so',
    unclear: 'whether a decision is contradicted cannot be told',
    void: 'no decision touches what was handed in',
  },
];

/**
 * Returns the schema of a verdict. If a provider enforces schemas, the verifier can cite only the listed
 * places.
 * @param refs the places that may be cited
 */
export function checkSchema(refs: readonly string[]) {
  return z.object({
    reasoning: z.string().min(1),
    result: z.enum(RESULTS),
    evidence_refs: z.array(makeChoiceSchema(refs)),
    notes: z.string(),
  });
}
/**
 * The schema of a verdict that accepts any citation. Code then checks whether the cited places
 * exist.
 */
export const looseCheckSchema = z.object({
  reasoning: z.string(),
  result: z.enum(RESULTS),
  evidence_refs: z.array(z.string()),
  notes: z.string(),
});
/** The verifier's answer to a check. */
export type CheckAnswer = z.infer<typeof looseCheckSchema>;

/** Which texts a verdict may cite by line, in addition to the places that the prompt lists. */
export interface Lines {
  readonly attachments: readonly Document[];
  /** Whether results of tools can be cited. */
  readonly results: boolean;
}

/**
 * Returns the verifier's instructions for a check.
 * @param refs the places that may be cited
 * @param edition the wording of the prompts
 */
export function checkTask(
  check: Check,
  refs: readonly string[],
  lines: Lines,
  edition: PromptEdition,
): string {
  const { attachments } = lines;
  return withoutFalse([
    `Check ${check.number}: ${check.name}.`,
    check.ask,
    [
      'Results:',
      `BROKEN: ${check.broken}.`,
      `ROBUST: ${check.robust}.`,
      `UNCLEAR: ${check.unclear}.`,
      `NOT_APPLICABLE: ${check.void}; notes then says what is missing.`,
    ].join('\n'),
    ...(isSince(edition, 3)
      ? [
          'Where the material does not decide, the result is UNCLEAR: that is a result, not a failure.',
          `${sidesOf(check)} ${describeCitable(lines)}:`,
        ]
      : [`${sidesOf(check)} These can be cited, and nothing else:`]),
    listRefs(refs),
    isSince(edition, 3) &&
      check.between.length === 0 &&
      'The proposal and what was added to it are no places: what stands there is quoted in reasoning, and cited are the decision that it contradicts and an artifact that follows it.',
    'reasoning first, in at most 120 words; then result, evidence_refs, and notes: one sentence that a person would quote.',
    !isSince(edition, 3) &&
      attachments.length !== 0 &&
      `Besides these, lines of an attachment can be cited, like ${linesOf(attachments)}.`,
  ]).join('\n\n');
}

function sidesOf({ between }: Check): string {
  return between.length === 2
    ? `Cite the places that decided it: at least one of the ${ROLE_INFO[between[0] ?? 'critic'].title} and one of the ${ROLE_INFO[between[1] ?? 'action'].title}.`
    : 'Cite at least two different places that decided it; of a decision, its id.';
}

function describeCitable({ attachments, results }: Lines): string {
  const lines = withoutFalse([
    attachments.length !== 0 && `of an attachment can be cited, like ${linesOf(attachments)}`,
    ...(results ? ['of a result of a lookup can be cited, by its id, like S-3#L10-L12'] : []),
  ]);
  return lines.length === 0
    ? 'These can be cited, and nothing else'
    : `Lines ${lines.join(', and lines ')}, and these, and nothing else`;
}

function linesOf(attachments: readonly Document[]): string {
  return exampleCitations(attachments, 'L10-L12');
}

/**
 * Returns the request to answer a check again, because the first answer was refused, such as for citing a place that
 * does not exist. The request lists the places that exist.
 * @param refs the places that may be cited
 * @param edition the wording of the prompts
 */
export function placesTask(refs: readonly string[], lines: Lines, edition: PromptEdition): string {
  const exist = isSince(edition, 3)
    ? `${describeCitable(lines)}:`
    : 'These places exist, and nothing else:';
  return `Answer again. ${exist}\n${refs.map((ref) => `- ${ref}`).join('\n')}`;
}

/**
 * Lists places by file, with the full path only before the first of each file, to keep the prompt
 * short.
 */
function listRefs(refs: readonly string[]): string {
  const anchors = new Map<string, string[]>();
  for (const ref of refs) {
    const [file = '', anchor] = ref.split('#');
    anchors.set(file, [
      ...(anchors.get(file) ?? []),
      ...(anchor === undefined ? [''] : [`#${anchor}`]),
    ]);
  }
  return [...anchors]
    .map(
      ([file, [first = '', ...more]]) =>
        `- ${file}${first}${more.length > 0 ? `, and in the same file ${more.join(', ')}` : ''}`,
    )
    .join('\n');
}
