/** Returns the syntheses of a run as a section of its report. */
import type { RunView, SynthesisView } from '../kernel/view.ts';
import { type Block, makeSection, type Section } from './blocks.ts';
import { escapeLine } from './markdown.ts';
import { formatSynthesisHeading } from './naming.ts';

/** What a protocol adds to a synthesis. */
interface Beside {
  readonly above?: readonly Block[];
  readonly below?: readonly Block[];
  /** The synthesis as people read it; absent: as it was written. */
  readonly text?: string;
  /** The id by which links lead to the synthesis. */
  readonly anchor?: string;
}

/**
 * Returns a section with a run's syntheses: the latest one, and below it the earlier ones, newest
 * first, of which a page shows only the titles at first. If there are no syntheses, the section says so.
 * @param beside returns what is added above and below a synthesis, and its text for people
 * @param members the word for the seats, in the plural
 */
export function synthesisSection(
  syntheses: readonly SynthesisView[],
  view: RunView,
  beside: (synthesis: SynthesisView) => Beside = () => ({}),
  members?: string,
): Section {
  const [latest, ...earlier] = syntheses.toReversed().map((synthesis) => {
    const { above = [], below = [], text = synthesis.text, anchor } = beside(synthesis);
    return makeSection(
      formatSynthesisHeading(synthesis, view, members),
      synthesis.conclusion ? '' : `_Written by ${escapeLine(synthesis.model)}._`,
      ...above,
      synthesis.note === undefined ? '' : `_Instruction: ${escapeLine(synthesis.note)}_`,
      { kind: 'said', text, anchor },
      ...below,
    );
  });
  if (latest === undefined) return makeSection('Synthesis', 'There is none.');
  const { title, blocks } = latest;
  return {
    ...makeSection(title, ...blocks, ...earlier.map((section) => ({ ...section, isFolded: true }))),
    short: syntheses.at(-1)?.conclusion === true ? title : 'Synthesis',
  };
}
