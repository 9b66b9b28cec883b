/** Counts the calls that an attempt of a board still makes. */
import { fixedSpan, type Span } from '../../kernel/estimate.ts';
import { type CallsLeft, isOfAttempt } from '../../kernel/time-left.ts';
import { stepOf } from '../../kernel/tools/tools.ts';
import type { RunView } from '../../kernel/view.ts';
import { answerStep } from './fold.ts';

/** A step that asks the seats a follow-up question. */
const FOLLOW_UP = /^question-(\d+)\/seat\//;

/**
 * Returns the calls that are left of a question, a follow-up question, a retry or another synthesis; undefined for
 * an ablation, and once the extra calls that some settings add have begun.
 */
export function countCallsLeft(view: RunView): CallsLeft | undefined {
  const { request, config, seats } = view;
  const own = Object.values(view.calls).filter((call) => isOfAttempt(call, view));
  const steps = own.map(({ step }) => stepOf(step));
  if (steps.some((step) => /^(?:predict|forecast|baseline|influence)/.test(step))) return undefined;
  const { kind } = request;
  if (kind === 'weigh') return undefined;
  const hasEnded = (prefix: string): boolean =>
    own.some(({ step, state }) => stepOf(step).startsWith(prefix) && state !== 'running');
  const wanted =
    kind === 'retry' ? new Set((request as { seats?: readonly string[] }).seats) : undefined;
  const number = Math.max(1, ...steps.map((step) => Number(FOLLOW_UP.exec(step)?.[1] ?? 1)));
  const open = seats.filter(({ id }) => {
    if (kind === 'resynthesize' || wanted?.has(id) === false) return false;
    const answer = answerStep(id, number);
    // Calls of the seat, with those before a lookup; an answer of an earlier attempt is kept.
    const last = Object.values(view.calls).findLast(({ step }) => stepOf(step) === answer);
    if (last === undefined || last.state === 'running') return true;
    return isOfAttempt(last, view) ? last.calls !== undefined : last.state !== 'done';
  }).length;
  const synthesis = kind === 'retry' || hasEnded('synthesis/') ? 0 : 1;
  const matrix = config.vote !== true || kind === 'retry' || hasEnded('agreement/') ? 0 : 1;
  const more = typeof config.predict === 'number' && config.predict > 0 ? seats.length + 1 : 0;
  // Answers without the panel follow a question, not a retry or another synthesis.
  const isAsked = kind === 'convene' || kind === 'follow-up';
  const baselines = isAsked && Array.isArray(config.baselines) ? config.baselines.length : 0;
  const calls: Span =
    baselines === 0 ? fixedSpan(open + more) : { low: open + more, high: Number.POSITIVE_INFINITY };
  return { calls, inTurn: synthesis + matrix };
}
