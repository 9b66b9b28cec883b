/** Names seats and syntheses in text output, in the same words for all displays and exports. */

import { isExample } from '../kernel/example.ts';
import type { Seat } from '../kernel/model.ts';
import { type CallView, isLooking, type RunView, type SynthesisView } from '../kernel/view.ts';
import { toLine } from '../text/line.ts';

/** Formats a seat as a heading: `Critic (ollama/qwen3:8b)`. */
export function formatSeatHeading(seat: Seat): string {
  return `${toLine(seat.title)} (${toLine(seat.model)})`;
}

/**
 * Formats the heading of a synthesis: `Synthesis v2 · 2 of 3 advisors · without Critic (timed
 * out)`. The heading of a conclusion is `Conclusion`.
 *
 * @param members the word for the seats, in the plural
 */
export function formatSynthesisHeading(
  synthesis: SynthesisView,
  view: RunView,
  members = 'advisors',
): string {
  const { version, included, excluded, compacted = [], conclusion } = synthesis;
  if (conclusion) return 'Conclusion';
  const without = excluded.map(
    ({ seat, reason }) => `${getSeatTitle(seat, view)} (${toLine(reason)})`,
  );
  return [
    `Synthesis v${version}`,
    `${included.length} of ${included.length + excluded.length} ${members}`,
    ...(without.length > 0 ? [`without ${without.join(', ')}`] : []),
    ...(compacted.length > 0
      ? [
          `shortened to fit: ${compacted.map(({ seat, words }) => `${getSeatTitle(seat, view)} by ${words} words`).join(', ')}`,
        ]
      : []),
  ].join(' · ');
}

/** Returns the title of a seat; the id if the run has no such seat. */
export function getSeatTitle(id: string, view: RunView): string {
  return toLine(view.seats.find((seat) => seat.id === id)?.title ?? id);
}

/**
 * Returns a sentence on why a seat has no complete answer; undefined if its answer is complete.
 *
 * @param call the seat's call; undefined if the seat was not asked
 * @param synthesizes whether the run writes syntheses; the sentence on a stopped call then adds that
 *   its answer is in no synthesis
 */
export function whyNoAnswer(call: CallView | undefined, synthesizes = true): string | undefined {
  if (call === undefined) return 'No answer: not asked.';
  if (call.state === 'done') return undefined;
  if (call.state === 'failed')
    return `No answer: ${toLine(call.message ?? 'failed')}.${call.next ? ` ${toLine(call.next)}` : ''}`;
  if (call.state === 'stopped')
    return `Stopped: the answer is partial${synthesizes ? ' and in no synthesis' : ''}.`;
  if (call.state === 'lost')
    return 'No answer: the program died during the call. The provider may have billed this call.';
  return 'Still answering.';
}

/**
 * Returns a sentence on why a seat has no complete answer; undefined if its answer is complete. If
 * the seat's last call only asked to use tools, the seat has no answer.
 *
 * @param call the seat's last call; undefined if the seat was not asked
 * @param synthesizes whether the run writes syntheses; the sentence on a stopped call then adds that
 *   its answer is in no synthesis
 */
export function whyNoFinalAnswer(
  call: CallView | undefined,
  synthesizes = true,
): string | undefined {
  return call !== undefined && isLooking(call)
    ? 'No answer: it had only looked things up.'
    : whyNoAnswer(call, synthesizes);
}

/** The warning above a run that the built-in stand-in answered instead of models. */
export const REHEARSAL =
  'REHEARSAL: the built-in stand-in wrote this. No model was called, and nothing here is an opinion.';
/** The warning above a recorded example run. */
export const EXAMPLE =
  'EXAMPLE: recorded by hand to show a run. No model was called, and none is called now.';

/**
 * Returns the warning to print above a run that is an example or was answered by the stand-in;
 * undefined for other runs.
 */
export function findWarning(view: RunView): string | undefined {
  if (isExample(view)) return EXAMPLE;
  return view.rehearsal ? REHEARSAL : undefined;
}
