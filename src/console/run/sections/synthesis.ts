/** Draws the synthesis, alone or below the columns, with its heading and remarks. */
import { joinLines, toLine } from '../../../text/line.ts';
import { padEnd, textWidth, truncateLine } from '../../../text/width.ts';
import { keyOf } from '../../keys/key-lookup.ts';
import type { Synthesis } from '../../model/run-model.ts';
import { formatState } from '../../model/states.ts';
import type { Layout } from '../../terminal/layout.ts';
import type { Theme } from '../../terminal/theme.ts';
import type { Scene } from '../scene.ts';
import { paneRows } from './body.ts';
import { formatSynthesisTitle, listRemarkLines } from './remarks.ts';

/**
 * Draws the synthesis with its heading and remarks, or only the heading if the layout has a single row
 * for it. Returns no rows if there is no synthesis or no room.
 */
export function synthesisRows(scene: Scene, layout: Layout): string[] {
  const { runModel, viewer, theme, columns, pulse } = scene;
  const pane = viewer.reading.panes.find((pane) => pane.kind === 'synthesis');
  if (pane?.kind !== 'synthesis' || layout.synthesis === 0) return [];
  const { synthesis, stream } = pane;
  const syntheses = runModel.synthesesOf(synthesis.question);
  const focus = viewer.reading.focused?.stream === stream;
  const right = [
    formatState(stream, pulse),
    syntheses.length > 1 ? placeOf(synthesis, syntheses) : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
  const left = formatSynthesisTitle(synthesis, runModel, viewer.view);
  const { keymap } = viewer.around;
  const turn = `${keyOf(keymap, 'previous-version')} ${keyOf(keymap, 'next-version')} other · ${keyOf(keymap, 'compare')} compare`;
  // Name the keys that lead to other versions of the synthesis, if there is room.
  const roomy = syntheses.length > 1 && textWidth(` ${left}   ${right} · ${turn} `) <= columns;
  const end = roomy ? `${right} · ${turn}` : truncateLine(right, columns >> 1);
  const { beside } = viewer.reading.lead;
  const said = [
    ...(layout.lead > 0 ? [] : beside),
    ...listRemarkLines(synthesis, runModel, viewer.view),
  ];
  const remarks = said
    .slice(0, layout.remarks)
    .map((remark) => ` ${theme.dim(truncateLine(toLine(remark), columns - 2))}`);
  if (layout.synthesis === 1) {
    const back = viewer.reading.opened ? ` · ${keyOf(keymap, 'back')} reads it` : '';
    return [headingRow(left, right + back, theme, columns)];
  }
  const heading = headingRow(left, end, theme, columns);
  const text = paneRows(scene, layout, pane, columns).map((row) => row.trimEnd());
  return [heading, ` ${theme.rule(columns - 2, focus)}`, ...remarks, ...text];
}

/** Draws the heading: `Synthesis v2 · 2 of 3 advisors              ✓ 8.2s`. */
function headingRow(left: string, right: string, theme: Theme, cells: number): string {
  const room = cells - textWidth(right) - 4;
  const text = truncateLine(joinLines(left), room);
  return ` ${theme.bold(padEnd(text, room))}  ${theme.dim(right)}`;
}

/** Returns `v2 of 3`; or `1 of 3` if the versions of a further question begin with a later number. */
function placeOf(synthesis: Synthesis, syntheses: readonly Synthesis[]): string {
  const place = syntheses.findIndex(({ version }) => version === synthesis.version) + 1;
  return `${place === synthesis.version ? 'v' : ''}${place} of ${syntheses.length}`;
}
