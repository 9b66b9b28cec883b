/** Phase E: the four cross-validation checks, put to a verifier who is not on the panel. */
import * as z from 'zod';
import type { Check as CheckName, Role } from '../records/types.ts';

export interface Check {
  readonly number: 1 | 2 | 3 | 4;
  readonly name: CheckName;
  /** Roles whose artifacts it compares: with one of them absent there is nothing to check. */
  readonly between: readonly Role[];
  readonly ask: string;
  readonly broken: string;
  readonly robust: string;
  readonly unclear: string;
}

export const CHECKS: readonly Check[] = [
  {
    number: 1,
    name: 'critic_attack_on_action_trace',
    between: ['critic', 'action'],
    ask: 'Run the attack against each trace. Do its preconditions occur in practice, and does a trace then end differently, or does the state it passes through break a rule it relies on?',
    broken: 'the preconditions are realistic and a trace flips or an invariant of its state breaks',
    robust: 'the traces hold, and you can name what guards them',
    unclear: 'the attack is argued but not shown',
  },
  {
    number: 2,
    name: 'guardian_vs_observer_walkthrough',
    between: ['guardian', 'observer'],
    ask: 'Follow the walkthrough step by step with the invariant in hand. Does an action that a supported operator takes violate it?',
    broken: 'an operator action violates the invariant',
    robust: 'the violation is structurally prevented',
    unclear: 'the walkthrough does not touch the path that matters',
  },
  {
    number: 3,
    name: 'observer_friction_vs_critic_attack',
    between: ['observer', 'critic'],
    ask: 'Lay the friction points over the attack. Where a person stumbles, is that where the attacker walks in?',
    broken: 'a friction point is the attack surface',
    robust: 'they have nothing to do with each other',
    unclear: 'they overlap in part',
  },
  {
    number: 4,
    name: 'all_vs_prior_decisions',
    between: [],
    ask: 'Hold every artifact of this round against the decisions on record. Is a decision contradicted without a word about it?',
    broken: 'a decision is contradicted silently',
    robust: 'all are honoured, and what overturns one says so',
    unclear: 'the decisions are too new, or do not touch what was handed in',
  },
];

const RESULTS = ['BROKEN', 'ROBUST', 'UNCLEAR', 'NOT_APPLICABLE'] as const;
export type Result = (typeof RESULTS)[number];

/**
 * What the verifier answers. Where there are references to choose from, the schema admits only these,
 * so that a provider that enforces schemas cannot cite what does not exist.
 */
export function checkSchema(refs: readonly string[]) {
  const ref = refs.length > 0 ? z.enum(refs as [string, ...string[]]) : z.string();
  return z.object({
    reasoning: z.string().min(1),
    result: z.enum(['BROKEN', 'ROBUST', 'UNCLEAR']),
    evidence_refs: z.array(ref).min(2),
    notes: z.string(),
  });
}
/** The same, taking any reference: code looks afterwards which of them exist. */
export const looseCheckSchema = z.object({
  reasoning: z.string(),
  result: z.enum(['BROKEN', 'ROBUST', 'UNCLEAR']),
  evidence_refs: z.array(z.string()),
  notes: z.string(),
});
export type CheckAnswer = z.infer<typeof looseCheckSchema>;

export function checkTask(check: Check, refs: readonly string[]): string {
  return [
    `Check ${check.number}: ${check.name}.`,
    check.ask,
    [
      'Results:',
      `BROKEN: ${check.broken}.`,
      `ROBUST: ${check.robust}.`,
      `UNCLEAR: ${check.unclear}.`,
    ].join('\n'),
    'Cite at least two different places that decided it. These can be cited, and nothing else:',
    listed(refs),
    'Reason first, in at most 120 words; then the result. Notes: one sentence that a person would quote.',
  ].join('\n\n');
}

/** Places by file, the first of each in full: written out one by one they would outweigh the task. */
function listed(refs: readonly string[]): string {
  const anchors = new Map<string, string[]>();
  for (const ref of refs) {
    const [file = '', anchor = ''] = ref.split('#');
    anchors.set(file, [...(anchors.get(file) ?? []), `#${anchor}`]);
  }
  return [...anchors]
    .map(
      ([file, [first = '', ...more]]) =>
        `- ${file}${first}${more.length > 0 ? `, and in the same file ${more.join(', ')}` : ''}`,
    )
    .join('\n');
}
