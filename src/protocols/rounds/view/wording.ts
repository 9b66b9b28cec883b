/** The words of a deliberation's records as people read them. */

import type { FactOf } from '../facts.ts';
import type { ClaimStatus, Phase, SignalsView } from '../fold.ts';
import type { Finding } from '../records/types.ts';

type Verification = FactOf<'verification.recorded'>;

export const STATUS_WORDS: Readonly<Record<ClaimStatus, string>> = {
  pending: 'pending',
  tested_confirmed: 'confirmed',
  tested_refuted: 'refuted',
  partially_refuted: 'partly refuted',
  tested_unclear: 'unclear',
  superseded: 'superseded',
};

export const RESULT_WORDS: Readonly<Record<Verification['result'], string>> = {
  BROKEN: 'BROKEN',
  ROBUST: 'ROBUST',
  UNCLEAR: 'UNCLEAR',
  NOT_APPLICABLE: 'N/A',
};

export const CHECK_NAMES: Readonly<Record<Verification['check'], string>> = {
  critic_attack_on_action_trace: 'attack against the trace',
  guardian_vs_observer_walkthrough: 'invariant against the walkthrough',
  observer_friction_vs_critic_attack: 'friction against the attack',
  all_vs_prior_decisions: 'artifacts against earlier decisions',
  executed_test: 'a test that was run',
  settled_by_reading: 'read in the text',
  conceded: 'withdrawn by its seat',
};

/** What a reader found of a claim. */
export const FINDING_WORDS: Readonly<Record<Finding, string>> = {
  true_in_text: 'true in the text',
  false_in_text: 'false in the text',
  absent: 'not in the text',
  partly: 'partly in the text',
  needs_a_test: 'needs a test',
};

/** What each phase of a round is for, in the order of the phases. */
export const PHASE_NAMES: Readonly<Record<Exclude<Phase, 'synthesis'>, string>> = {
  A: 'Opening',
  B: 'Proposal',
  C: 'Supplements',
  D: 'Artifacts',
  E: 'Checks',
  F: 'Claims',
  G: 'Decisions',
  H: 'Drift check',
};

export const ADVICE: Readonly<Record<SignalsView['recommendation'], string>> = {
  stop: 'Stop with a synthesis',
  'wrap-up': 'One more round to wrap up, then stop',
  consider: 'Consider stopping',
  continue: 'Go on',
};

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Other people's words in a line of a Markdown list: on one line, so that they stay in it. */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A reference as code, whatever is in it. */
export function code(text: string): string {
  return `\`${inline(text).replaceAll('`', "'")}\``;
}
