/** Formats the syntheses of a run as sections of its report, and says what they lack. */
import type { RunView, SynthesisView } from '../kernel/view.ts';
import { nestHeadings, words } from './markdown.ts';
import { formatSynthesisHeading, getSeatTitle } from './naming.ts';

/** Paragraphs of a protocol about a synthesis. */
interface Beside {
  readonly above?: readonly string[];
  readonly below?: readonly string[];
  /** The synthesis as people read it; absent: as it was written. */
  readonly text?: string;
}

/**
 * Formats a run's syntheses as sections of Markdown, the newest first.
 *
 * @param level the level of the headings
 * @param beside returns paragraphs to add above and below a synthesis
 * @param members the word for the seats, in the plural
 */
export function synthesisSections(
  syntheses: readonly SynthesisView[],
  view: RunView,
  level: number,
  beside: (synthesis: SynthesisView) => Beside = () => ({}),
  members?: string,
): string[] {
  const mark = '#'.repeat(level);
  if (syntheses.length === 0) return [`${mark} Synthesis`, 'There is none.'];
  return syntheses.toReversed().flatMap((synthesis) => {
    const { above = [], below = [], text = synthesis.text } = beside(synthesis);
    return [
      `${mark} ${words(formatSynthesisHeading(synthesis, view, members))}`,
      ...(synthesis.conclusion ? [] : [`_Written by ${words(synthesis.model)}._`]),
      ...above,
      ...(synthesis.note === undefined ? [] : [`_Instruction: ${words(synthesis.note)}_`]),
      nestHeadings(text, level),
      ...below,
    ];
  });
}

/**
 * Returns sentences on the answers that a synthesis leaves out.
 *
 * @param of words that name the synthesis's question, if the run has several
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
        `${name} does not contain ${words(getSeatTitle(seat, view))}: ${words(reason)}.`,
    ),
    ...(missing.length > 0 ? [`${name} lacks the headings ${missing.map(words).join(', ')}.`] : []),
  ];
}
