/**
 * The log as lines: of every fact its time, type, step and a few words, made once when the fact
 * arrives. Whole texts are not kept here; they are in the run's view and in the export.
 */

import type { Control } from '../../../kernel/facts.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { controlSchema } from '../../../protocols/rounds/requests.ts';
import { RESULT_WORDS, STATUS_WORDS } from '../../../protocols/rounds/view/wording.ts';
import { ownEvery } from '../../../protocols/vocabulary.ts';
import { formatMs, formatTokens } from '../../../text/figures.ts';

export interface LedgerLine {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly step: string;
  readonly summary: string;
}

/** No screen shows more of a fact in one line. */
const LONGEST = 240;

/** `one` is clean already. */
export function ledgerLine(one: AnyFact): LedgerLine {
  return {
    seq: one.seq,
    at: one.at,
    type: one.type,
    step: one.step ?? '',
    summary: summaryOf(one).slice(0, LONGEST).replace(/\s+/g, ' ').trim(),
  };
}

function summaryOf(any: AnyFact): string {
  const one = ownEvery(any);
  switch (one?.type) {
    case 'run.started':
      return `${one.protocol}: ${one.question}`;
    case 'run.resumed':
      return one.request.kind;
    case 'run.ended':
      return [one.status, one.reason ?? ''].join(' ');
    case 'step.started':
      return `${one.kind} ${one.model ?? ''}${one.stale ? ' (its inputs have changed)' : ''}`;
    case 'step.completed':
      return one.inherited === undefined ? '' : `taken over from ${one.inherited}`;
    case 'step.failed':
      return one.message;
    case 'call.completed':
      return `${formatMs(one.latencyMs)}, ${formatTokens(one.usage.input + one.usage.output, one.usage.estimated)} tok: ${one.text.slice(0, LONGEST)}`;
    case 'call.failed':
      return `${one.code}: ${one.message}`;
    case 'call.stopped':
      return `after ${formatMs(one.latencyMs)}${one.usage.estimated === true ? `, ${formatTokens(one.usage.input + one.usage.output, true)} tok` : ''}`;
    case 'synthesis.completed':
      return `version ${one.version} by ${one.model}`;
    case 'gate.opened':
      return one.prompt;
    case 'gate.answered':
      return `${one.answer} (${one.by})`;
    case 'control.given':
      return controlText(one.control);
    case 'control.heeded':
      return one.ids.join(', ');
    case 'round.started':
      return `round ${one.round}, ${one.lead} leads${one.absent === undefined ? '' : `, without ${one.absent}`}`;
    case 'phase.entered':
      return `round ${one.round}, phase ${one.phase}`;
    case 'stress.predicted':
      return one.signature.join('; ');
    case 'stress.compared':
      return one.notes;
    case 'artifact.produced':
      return one.path;
    case 'verification.recorded':
      return `${one.id} ${RESULT_WORDS[one.result]}: ${one.notes}`;
    case 'claim.raised':
      return `${one.id} ${one.text}`;
    case 'claim.moved':
      return `${one.claim} ${STATUS_WORDS[one.from]} → ${STATUS_WORDS[one.to]} ${one.verification ?? one.superseded_by ?? ''}`;
    case 'decision.made':
      return `${one.id} ${one.text}`;
    case 'decision.refused':
      return one.why;
    case 'round.closed':
      return `round ${one.round}, ${one.tensions.length} open`;
    case 'drift.checked':
      return `round ${one.round} ${one.verdict}: ${one.notes}`;
    case 'signals.read':
      return `${one.satisfied} of 6: ${one.recommendation}`;
    case 'failure-mode.suspected':
      return `${one.id} ${one.name}: ${one.why}`;
    case 'evidence.recorded':
      return `${one.id} for ${one.claim}: ${one.command}`;
    case 'claim.edited':
      return `${one.claim} ${one.text}`;
    case 'stance.taken':
      return `${one.seat}, ${one.peers ? 'with the record' : 'blind'}: ${one.option}`;
    case 'vote.counted':
      return one.ballots.map(({ seat, option }) => `${seat}: ${option}`).join('; ');
    case 'stance.compared':
      return `${one.seat} ${one.label}: ${one.why}`;
    case 'agent.started':
      return `${one.agent}: ${one.why}`;
    case 'agent.completed':
      return `${one.agent} ${one.status}: ${one.reason ?? one.text.slice(0, LONGEST)}`;
    case 'advice.given':
      return `${one.advisor} ${one.status} ${one.reason ?? ''}`;
    case 'route.chosen':
      return `${one.agent} → ${one.choice}: ${one.reason}`;
    case 'handoff.made':
      return `${one.from} → ${one.to}`;
    case 'team.broadcast':
      return `cycle ${one.cycle}, ${one.from}: ${one.text.slice(0, LONGEST)}`;
    case 'team.compacted':
      return `cycle ${one.cycle}: the first ${one.messages} messages are shortened`;
    case 'team.ended':
      return `after ${one.cycles} cycles, ${one.how}: ${one.why}`;
    case 'question.asked':
      return `question ${one.number}: ${one.text}`;
    case 'seat.changed':
      return `${one.seat}: ${one.model}`;
    case 'patience.began':
      return `until ${one.until.slice(11, 19)} for ${one.waitingFor.join(', ')}`;
    case 'quorum.reached':
      return `${one.answered.length} of ${one.of} answered${one.stopped.length === 0 ? '' : `; stopped: ${one.stopped.join(', ')}`}`;
    case 'ballot.cast':
      return `${one.seat}: ${one.option} (${one.confidence})`;
    case 'agreement.mapped':
      return `beside version ${one.version}: ${one.points.length} points, ${one.dropped.length} quotes left out`;
    case 'influence.weighed':
      return `version ${one.base} without ${one.without ?? 'nobody'}: ${one.change}; ${one.how}`;
    case 'baseline.completed':
      return `${one.kind} by ${one.model}, ${formatTokens(one.tokens, one.estimated)} tok: ${one.text}`;
    default:
      return '';
  }
}

function controlText(control: Control): string {
  const known = controlSchema.safeParse(control).data;
  switch (known?.kind) {
    case 'note':
      return `note: ${known.text}`;
    case 'stress':
      return `stress: ${known.absent ?? 'nobody is absent'}`;
    case 'respond':
      return `answer ${known.modes.join(', ')}`;
    default:
      return control.kind;
  }
}
