/**
 * Formats facts as lines of the log: time, type, step and a few words. Each line is made once when its fact
 * arrives, and keeps the fact for when the person opens the line.
 */
import { type Control, type Fact, type FactOf, KERNEL } from '../../kernel/facts.ts';
import { formatSource } from '../../kernel/tools/sources.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { formatRecordLine } from '../../text/answers/answer.ts';
import { formatMs, formatTokens } from '../../text/numbers.ts';
import type { LogLine } from './run-model.ts';

/** The most characters of a fact in one line. */
const LONGEST = 240;

/**
 * Formats a fact as a line of the log.
 *
 * @param fact the fact, without control characters
 * @param says formats a fact of the run's protocol; returns undefined for other facts
 */
export function formatLogLine(fact: AnyFact, says: (fact: AnyFact) => string | undefined): LogLine {
  const own = KERNEL.own(fact);
  const words = says(fact) ?? (own === undefined ? '' : summaryOf(own));
  return {
    seq: fact.seq,
    at: fact.at,
    type: fact.type,
    step: fact.step ?? '',
    summary: words.slice(0, LONGEST).replace(/\s+/g, ' ').trim(),
    fact,
  };
}

function summaryOf(fact: Fact): string {
  switch (fact.type) {
    case 'run.started':
      return `${fact.protocol}: ${fact.question}`;
    case 'run.resumed':
      return fact.request.kind;
    case 'run.ended':
      return [fact.status, fact.reason ?? ''].join(' ');
    case 'step.started':
      return `${fact.kind} ${fact.model ?? ''}${fact.stale ? ' (its inputs have changed)' : ''}`;
    case 'deadline.moved':
      return `times out at ${fact.deadline.slice(11, 19)}`;
    case 'step.completed':
      return fact.inherited === undefined ? '' : `reused from ${fact.inherited}`;
    case 'step.failed':
      return fact.message;
    case 'call.completed':
      return `${formatMs(fact.latencyMs)}, ${formatTokens(fact.usage.input + fact.usage.output, fact.usage.estimated)} tok: ${formatAnswer(fact).slice(0, LONGEST)}`;
    case 'call.failed':
      return `${fact.code}: ${fact.message}`;
    case 'call.stopped':
      return `after ${formatMs(fact.latencyMs)}${fact.usage.estimated === true ? `, ${formatTokens(fact.usage.input + fact.usage.output, true)} tok` : ''}`;
    case 'tool.called':
      return `${fact.seat}: ${formatSource(fact)}`;
    case 'synthesis.completed':
      return fact.conclusion
        ? fact.text.slice(0, LONGEST)
        : `version ${fact.version} by ${fact.model}`;
    case 'gate.opened':
      return fact.prompt;
    case 'gate.answered':
      return `${fact.answer} (${fact.by})`;
    case 'control.given':
      return controlText(fact.control);
    case 'control.heeded':
      return fact.ids.join(', ');
    case 'question.asked':
      return `question ${fact.number}: ${fact.text}`;
    case 'iteration.noted':
      return fact.text;
    case 'seat.changed':
      return `${fact.seat}: ${fact.model}`;
  }
}

/** Returns the content of a call's answer; for JSON, its values. */
function formatAnswer({ text, value }: FactOf<'call.completed'>): string {
  return value === undefined || value === null ? text : formatRecordLine(value);
}

function controlText({ kind, text }: Control): string {
  return typeof text === 'string' ? `${kind}: ${text}` : kind;
}
