/**
 * Formats the facts of a deliberation in a few words for the console's log. For pipes, `lines.ts`
 * formats them.
 */

import type { Control } from '../../../kernel/facts.ts';
import type { AnyFact, FactSentences } from '../../../kernel/vocabulary.ts';
import { type OwnBody, ROUNDS } from '../facts.ts';
import { controlSchema } from '../requests.ts';
import { FINDING_WORDS, formatResult, formatStatusChange } from './wording.ts';

const SAYINGS: FactSentences<OwnBody> = {
  'round.started': (fact) =>
    `round ${fact.round}, ${fact.lead} leads${fact.absent === undefined ? '' : `, without ${fact.absent}`}`,
  'phase.entered': (fact) => `round ${fact.round}, phase ${fact.phase}`,
  'stress.predicted': (fact) => fact.signature.join('; '),
  'stress.compared': (fact) => fact.notes,
  'artifact.produced': (fact) => fact.path,
  'verification.recorded': (fact) => `${fact.id} ${formatResult(fact)}: ${fact.notes}`,
  'claim.raised': (fact) => `${fact.id} ${fact.text}`,
  'claim.moved': (fact) =>
    `${fact.claim} ${formatStatusChange(fact)} ${fact.verification ?? fact.superseded_by ?? ''}`,
  'decision.made': (fact) => `${fact.id} ${fact.text}`,
  'decision.refused': (fact) => fact.why,
  'refusal.recorded': (fact) => `${fact.id ?? fact.by}, refused ${fact.kind}: ${fact.why}`,
  'reader.examined': (fact) =>
    `${fact.model} ${fact.passed ? 'passed' : 'failed'} the entrance test: ${fact.why}`,
  'claim.read': (fact) => `${fact.claim} ${FINDING_WORDS[fact.finding]}: ${fact.why}`,
  'reader.controlled': (fact) => `${fact.right ? 'right' : 'wrong'}: ${fact.text}`,
  'records.checked': (fact) =>
    fact.errors.length === 0 ? `round ${fact.round}, sound` : fact.errors.join('; '),
  'round.closed': (fact) => `round ${fact.round}, ${fact.tensions.length} open`,
  'drift.checked': (fact) => `round ${fact.round} ${fact.verdict}: ${fact.notes}`,
  'failure-mode.answered': (fact) => `${fact.id}: ${fact.response}`,
  'signals.read': (fact) => `${fact.satisfied} of 6: ${fact.recommendation}`,
  'failure-mode.suspected': (fact) => `${fact.id} ${fact.name}: ${fact.why}`,
  'evidence.recorded': (fact) => `${fact.id} for ${fact.claim}: ${fact.command}`,
  'claim.edited': (fact) => `${fact.claim} ${fact.text}`,
  'stance.taken': (fact) =>
    `${fact.seat}, ${fact.peers ? 'with the record' : 'blind'}: ${fact.option}`,
  'vote.counted': (fact) => fact.ballots.map(({ seat, option }) => `${seat}: ${option}`).join('; '),
  'stance.compared': (fact) => `${fact.seat} ${fact.label}: ${fact.why}`,
};

const isWord = ROUNDS.is('control.given');

/** Formats a person's message that only this protocol understands. */
function wordOf(control: Control): string | undefined {
  const known = controlSchema.safeParse(control).data;
  if (known?.kind === 'stress') return `stress: ${known.absent ?? 'nobody is absent'}`;
  return known?.kind === 'respond' ? `answer ${known.modes.join(', ')}` : undefined;
}

/**
 * Formats a fact of a deliberation in rounds in a few words for the log. Returns undefined for facts
 * and messages that other protocols have as well, since they are formatted elsewhere.
 */
export function formatRoundsFact(fact: AnyFact): string | undefined {
  return isWord(fact) ? wordOf(fact.control) : ROUNDS.say(SAYINGS, fact);
}
