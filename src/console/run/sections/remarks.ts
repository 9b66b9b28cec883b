/** Formats what is said about a synthesis around its text: its heading, and what it lacks. */
import type { SynthesisView } from '../../../kernel/view.ts';
import { formatCount } from '../../../text/numbers.ts';
import type { RunModel, Synthesis, SynthesisWords } from '../../model/run-model.ts';

/**
 * Formats the heading of a synthesis: `Synthesis v2 · 2 of 3 advisors · without Critic (timed
 * out)`, or `Conclusion` for a text that the person's own protocol returned. The parts are ordered by
 * importance, because the end may be cut off.
 */
export function formatSynthesisTitle(
  synthesis: Synthesis,
  runModel: RunModel,
  says: SynthesisWords,
): string {
  const { version, done } = synthesis;
  if (done?.conclusion) return 'Conclusion';
  const own =
    says.heading(synthesis, runModel) ?? (done === undefined ? [] : listHeardSeats(done, runModel));
  return [`Synthesis v${version}`, ...own].join(' · ');
}

/**
 * Returns phrases that say which seats' answers a synthesis contains, such as `2 of 3 advisors` and
 * `without Critic (timed out)`.
 */
export function listHeardSeats(
  { included, excluded }: SynthesisView,
  runModel: RunModel,
): string[] {
  const absent = excluded.map(({ seat, reason }) => `${runModel.nameOf(seat)} (${reason})`);
  return [
    `${included.length} of ${formatCount(included.length + absent.length, 'advisor')}`,
    ...(absent.length > 0 ? [`without ${absent.join(', ')}`] : []),
  ];
}

/**
 * Returns lines to show below the heading of a synthesis, the most important first: the protocol's own
 * lines, which answers were shortened, the person's instruction, and headings that are missing. The
 * lines are not wrapped.
 */
export function listRemarkLines(
  synthesis: Synthesis,
  runModel: RunModel,
  says: SynthesisWords,
): string[] {
  const { done } = synthesis;
  const [before, after] = says.remarks(synthesis, runModel);
  if (done === undefined) return before;
  const remarks = [...before];
  const { compacted = [] } = done;
  if (compacted.length > 0)
    remarks.push(
      `shortened to fit the context window: ${compacted.map(({ seat, words }) => `${runModel.nameOf(seat)} by ${words} words`).join(', ')}`,
    );
  remarks.push(...after);
  if (done.note) remarks.push(`your instruction: ${done.note}`);
  if (done.missing.length > 0) remarks.push(`missing headings: ${done.missing.join(', ')}`);
  return remarks;
}
