/**
 * Formats the facts of a deliberation in a few words for the console's log. For pipes, `lines.ts`
 * formats them.
 */

import type { Control } from '../../../kernel/facts.ts';
import type { AnyFact, Sayings } from '../../../kernel/vocabulary.ts';
import { type OwnBody, ROUNDS } from '../facts.ts';
import { controlSchema } from '../requests.ts';
import { FINDING_WORDS, formatResult, formatStatusChange } from './wording.ts';

const SAYINGS: Sayings<OwnBody> = {
  'round.started': (one) =>
    `round ${one.round}, ${one.lead} leads${one.absent === undefined ? '' : `, without ${one.absent}`}`,
  'phase.entered': (one) => `round ${one.round}, phase ${one.phase}`,
  'stress.predicted': (one) => one.signature.join('; '),
  'stress.compared': (one) => one.notes,
  'artifact.produced': (one) => one.path,
  'verification.recorded': (one) => `${one.id} ${formatResult(one)}: ${one.notes}`,
  'claim.raised': (one) => `${one.id} ${one.text}`,
  'claim.moved': (one) =>
    `${one.claim} ${formatStatusChange(one)} ${one.verification ?? one.superseded_by ?? ''}`,
  'decision.made': (one) => `${one.id} ${one.text}`,
  'decision.refused': (one) => one.why,
  'refusal.recorded': (one) => `${one.id ?? one.by}, refused ${one.kind}: ${one.why}`,
  'reader.examined': (one) =>
    `${one.model} ${one.passed ? 'passed' : 'failed'} the entrance test: ${one.why}`,
  'claim.read': (one) => `${one.claim} ${FINDING_WORDS[one.finding]}: ${one.why}`,
  'reader.controlled': (one) => `${one.right ? 'right' : 'wrong'}: ${one.text}`,
  'records.checked': (one) =>
    one.errors.length === 0 ? `round ${one.round}, sound` : one.errors.join('; '),
  'round.closed': (one) => `round ${one.round}, ${one.tensions.length} open`,
  'drift.checked': (one) => `round ${one.round} ${one.verdict}: ${one.notes}`,
  'failure-mode.answered': (one) => `${one.id}: ${one.response}`,
  'signals.read': (one) => `${one.satisfied} of 6: ${one.recommendation}`,
  'failure-mode.suspected': (one) => `${one.id} ${one.name}: ${one.why}`,
  'evidence.recorded': (one) => `${one.id} for ${one.claim}: ${one.command}`,
  'claim.edited': (one) => `${one.claim} ${one.text}`,
  'stance.taken': (one) => `${one.seat}, ${one.peers ? 'with the record' : 'blind'}: ${one.option}`,
  'vote.counted': (one) => one.ballots.map(({ seat, option }) => `${seat}: ${option}`).join('; '),
  'stance.compared': (one) => `${one.seat} ${one.label}: ${one.why}`,
};

const isWord = ROUNDS.is('control.given');

/** Formats a person's message that only this protocol understands. */
function wordOf(control: Control): string | undefined {
  const known = controlSchema.safeParse(control).data;
  if (known?.kind === 'stress') return `stress: ${known.absent ?? 'nobody is absent'}`;
  return known?.kind === 'respond' ? `answer ${known.modes.join(', ')}` : undefined;
}

/**
 * Formats a fact for the log; undefined if the fact is not one that only deliberations in rounds record
 * or understand.
 */
export function formatRoundsFact(one: AnyFact): string | undefined {
  return isWord(one) ? wordOf(one.control) : ROUNDS.say(SAYINGS, one);
}
