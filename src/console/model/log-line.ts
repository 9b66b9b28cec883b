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
 * @param one the fact, without control characters
 * @param says formats a fact of the run's protocol; returns undefined for other facts
 */
export function formatLogLine(one: AnyFact, says: (one: AnyFact) => string | undefined): LogLine {
  const own = KERNEL.own(one);
  const words = says(one) ?? (own === undefined ? '' : summaryOf(own));
  return {
    seq: one.seq,
    at: one.at,
    type: one.type,
    step: one.step ?? '',
    summary: words.slice(0, LONGEST).replace(/\s+/g, ' ').trim(),
    fact: one,
  };
}

function summaryOf(one: Fact): string {
  switch (one.type) {
    case 'run.started':
      return `${one.protocol}: ${one.question}`;
    case 'run.resumed':
      return one.request.kind;
    case 'run.ended':
      return [one.status, one.reason ?? ''].join(' ');
    case 'step.started':
      return `${one.kind} ${one.model ?? ''}${one.stale ? ' (its inputs have changed)' : ''}`;
    case 'deadline.moved':
      return `times out at ${one.deadline.slice(11, 19)}`;
    case 'step.completed':
      return one.inherited === undefined ? '' : `reused from ${one.inherited}`;
    case 'step.failed':
      return one.message;
    case 'call.completed':
      return `${formatMs(one.latencyMs)}, ${formatTokens(one.usage.input + one.usage.output, one.usage.estimated)} tok: ${formatAnswer(one).slice(0, LONGEST)}`;
    case 'call.failed':
      return `${one.code}: ${one.message}`;
    case 'call.stopped':
      return `after ${formatMs(one.latencyMs)}${one.usage.estimated === true ? `, ${formatTokens(one.usage.input + one.usage.output, true)} tok` : ''}`;
    case 'tool.called':
      return `${one.seat}: ${formatSource(one)}`;
    case 'synthesis.completed':
      return one.conclusion ? one.text.slice(0, LONGEST) : `version ${one.version} by ${one.model}`;
    case 'gate.opened':
      return one.prompt;
    case 'gate.answered':
      return `${one.answer} (${one.by})`;
    case 'control.given':
      return controlText(one.control);
    case 'control.heeded':
      return one.ids.join(', ');
    case 'question.asked':
      return `question ${one.number}: ${one.text}`;
    case 'iteration.noted':
      return one.text;
    case 'seat.changed':
      return `${one.seat}: ${one.model}`;
  }
}

/** Returns the content of a call's answer; for JSON, its values. */
function formatAnswer({ text, value }: FactOf<'call.completed'>): string {
  return value === undefined || value === null ? text : formatRecordLine(value);
}

function controlText({ kind, text }: Control): string {
  return typeof text === 'string' ? `${kind}: ${text}` : kind;
}
