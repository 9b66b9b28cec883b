/** Says what a run lacks, for the end of its report. */
import type { RunView, SynthesisView } from '../kernel/view.ts';
import { escapeLine } from './markdown.ts';
import { getSeatTitle, whyNoAnswer } from './naming.ts';

/**
 * Formats why a call has no complete answer, as a list with one sentence such as `Critic: No answer: timed out.`
 * @param name the title of the seat, or the step of the call, escaped for Markdown
 * @param why the reason from `whyNoAnswer`; if it is undefined, the answer is complete and the list is empty
 */
export function formatCallGaps(name: string, why: string | undefined): string[] {
  return why === undefined ? [] : [`${name}: ${escapeLine(why)}`];
}

/**
 * Returns a sentence for each call that has no complete answer, with the reason.
 * @param synthesizes whether the run writes syntheses; the sentence on a stopped call then adds that
 *   its answer is in no synthesis
 */
export function listCallGaps({ calls }: RunView, synthesizes = true): string[] {
  return Object.values(calls).flatMap((call) =>
    formatCallGaps(escapeLine(call.step), whyNoAnswer(call, synthesizes)),
  );
}

/**
 * Returns a sentence for each call that was still running when the run stopped or its process
 * ended.
 */
export function listUnfinishedCalls({ calls }: RunView): string[] {
  return Object.values(calls).flatMap((call) =>
    call.state === 'running' || call.state === 'lost'
      ? formatCallGaps(escapeLine(call.step), whyNoAnswer(call))
      : [],
  );
}

/**
 * Returns sentences on what a synthesis lacks: seats whose answers it leaves out, and headings that
 * it should have.
 * @param synthesis the synthesis; if it is undefined, the only sentence says that there is none
 * @param of words to name the question in that sentence, such as ` (question 2)`; default: empty
 */
export function synthesisGaps(
  synthesis: SynthesisView | undefined,
  view: RunView,
  of = '',
): string[] {
  if (synthesis === undefined) return [`There is no synthesis${of}.`];
  const { version, excluded, missing } = synthesis;
  const name = `Synthesis v${version}`;
  return [
    ...excluded.map(
      ({ seat, reason }) =>
        `${name} does not contain ${escapeLine(getSeatTitle(seat, view))}: ${escapeLine(reason)}.`,
    ),
    ...(missing.length > 0
      ? [`${name} lacks the headings ${missing.map(escapeLine).join(', ')}.`]
      : []),
  ];
}

function describeEnd(status: string): string {
  return status === 'failed' ? 'The run failed' : `The run is ${status}`;
}

/**
 * Formats what the run lacks as a Markdown list; "Nothing." if nothing is missing.
 *
 * @param status the run's status: a run that is not `done` lacks its end
 */
export function formatGaps(missing: readonly string[], status: string): string {
  const ending =
    status === 'done' ? [] : [`${describeEnd(status)}; the report ends where it stopped.`];
  const all = [...ending, ...missing];
  return all.length === 0 ? 'Nothing.' : all.map((sentence) => `- ${sentence}`).join('\n');
}
