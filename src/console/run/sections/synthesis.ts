/** The panel below the columns: the synthesis, its heading, and what has to be known to read it. */
import { textWidth, truncate } from '../../../text/width.ts';
import { keyOf } from '../../keys/bindings.ts';
import type { Draft } from '../../model/run-model.ts';
import { stateOf } from '../../model/states.ts';
import { cleanLine } from '../../terminal/door.ts';
import type { Layout } from '../../terminal/layout.ts';
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
  const roomy = drafts.length > 1 && textWidth(`─ ${left}  ${right} · ${turn} ──`) <= columns;
  const end = roomy ? `${right} · ${turn}` : truncate(right, columns >> 1);
  const heading = ruled(left, end, focus, columns);
  const remarks = remarksOf(draft, runModel, viewer.view)
    .slice(0, layout.remarks)
    .map((remark) => ` ${theme.dim(truncate(cleanLine(remark), columns - 2))}`);
  return [
    theme.bold(focus ? theme.inverse(heading) : heading),
    ...remarks,
    ...paneRows(scene, layout, pane, columns).map((row) => row.trimEnd()),
  ];
}

/** `─ Synthesis v2 · 2 of 3 advisors ──────── ✓ 8.2s ─`, with `>` in front where it has the focus. */
function ruled(left: string, right: string, focus: boolean, cells: number): string {
  const end = right === '' ? '' : ` ${right} ─`;
  const start = focus ? '> ' : '─ ';
  const room = cells - textWidth(end) - start.length - 1;
  const text = truncate(cleanLine(left), room);
  return `${start}${text} ${'─'.repeat(Math.max(0, room - textWidth(text)))}${end}`;
}

/** `v2 of 3`; `1 of 3` where a further question's versions begin with a later number. */
function placeOf(draft: Draft, drafts: readonly Draft[]): string {
  const place = drafts.findIndex(({ version }) => version === draft.version) + 1;
  return `${place === draft.version ? 'v' : ''}${place} of ${drafts.length}`;
}
