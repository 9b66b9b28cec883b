/** The synthesis, alone or below the columns: its heading, and what has to be known to read it. */
import { joinLines, line } from '../../../text/line.ts';
import { padEnd, textWidth, truncate } from '../../../text/width.ts';
import { keyOf } from '../../keys/key-lookup.ts';
import type { Draft } from '../../model/run-model.ts';
import { stateOf } from '../../model/states.ts';
import type { Layout } from '../../terminal/layout.ts';
import type { Theme } from '../../terminal/theme.ts';
import type { Scene } from '../scene.ts';
import { paneRows } from './body.ts';
import { headingOf, remarksOf } from './remarks.ts';

export function synthesisRows(scene: Scene, layout: Layout): string[] {
  const { runModel, viewer, theme, columns, pulse } = scene;
  const pane = viewer.reading.panes.find((one) => one.kind === 'synthesis');
  if (pane?.kind !== 'synthesis' || layout.synthesis === 0) return [];
  const { draft, stream } = pane;
  const drafts = runModel.draftsOf(draft.question);
  const focus = viewer.reading.focused?.stream === stream;
  const right = [stateOf(stream, pulse), drafts.length > 1 ? placeOf(draft, drafts) : '']
    .filter((one) => one !== '')
    .join(' · ');
  const left = headingOf(draft, runModel, viewer.view);
  const { keymap } = viewer.around;
  const turn = `${keyOf(keymap, 'previous-version')} ${keyOf(keymap, 'next-version')} other · ${keyOf(keymap, 'compare')} compare`;
  // How the others are reached, where there is room to say it.
  const roomy = drafts.length > 1 && textWidth(` ${left}   ${right} · ${turn} `) <= columns;
  const end = roomy ? `${right} · ${turn}` : truncate(right, columns >> 1);
  const { beside } = viewer.reading.lead;
  const said = [...(layout.lead > 0 ? [] : beside), ...remarksOf(draft, runModel, viewer.view)];
  const remarks = said
    .slice(0, layout.remarks)
    .map((remark) => ` ${theme.dim(truncate(line(remark), columns - 2))}`);
  if (layout.synthesis === 1) {
    const back = viewer.reading.opened ? ` · ${keyOf(keymap, 'back')} reads it` : '';
    return [headingRow(left, right + back, theme, columns)];
  }
  const heading = headingRow(left, end, theme, columns);
  const text = paneRows(scene, layout, pane, columns).map((row) => row.trimEnd());
  return [heading, ` ${theme.rule(columns - 2, focus)}`, ...remarks, ...text];
}

/** `Synthesis v2 · 2 of 3 advisors              ✓ 8.2s` */
function headingRow(left: string, right: string, theme: Theme, cells: number): string {
  const room = cells - textWidth(right) - 4;
  const text = truncate(joinLines(left), room);
  return ` ${theme.bold(padEnd(text, room))}  ${theme.dim(right)}`;
}

/** `v2 of 3`; `1 of 3` where a further question's versions begin with a later number. */
function placeOf(draft: Draft, drafts: readonly Draft[]): string {
  const place = drafts.findIndex(({ version }) => version === draft.version) + 1;
  return `${place === draft.version ? 'v' : ''}${place} of ${drafts.length}`;
}
