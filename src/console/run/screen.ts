/** Draws the screen of a run: title, the tab's body, status and keys. */
import { textWidth } from '../../text/width.ts';
import type { Layout } from '../terminal/layout.ts';
import { tooSmallRows } from '../terminal/too-small.ts';
import type { Scene } from './scene.ts';
import { bodyRows } from './sections/body.ts';
import { footerRow, statusRows } from './sections/foot.ts';
import { headerRows, stripRow } from './sections/headers.ts';
import { helpLines } from './sections/help.ts';
import { leadRows } from './sections/lead.ts';
import { synthesisRows } from './sections/synthesis.ts';
import { titleRow } from './sections/title.ts';
import type { NumberedTab } from './tabs/page.ts';

/** Draws a run's screen as rows. */
export function runRows(scene: Scene): string[] {
  const { layout, theme, columns, rows } = scene;
  // The layout is undefined if the screen is too small, or has too few rows besides the row of tabs.
  if (layout === undefined) return tooSmallRows(columns, rows, theme);
  const { over, tabs, page } = scene.viewer;
  const body =
    over?.kind === 'help'
      ? over.page.rows(helpLines(scene), helpHeight(scene), scene.viewer.around.keymap, theme)
      : (page?.render(scene) ?? columnRows(scene, layout));
  const status = statusRows(scene);
  return [
    titleRow(scene),
    ...(tabs.length > 1 ? [tabRow(scene)] : []),
    // A long message covers the last rows of the body for as long as it is shown.
    ...body.slice(0, body.length + 1 - status.length),
    ...status,
    footerRow(scene),
  ];
}

/** Draws the tab Columns: a column for each seat; or the synthesis, with the columns as a strip below it. */
function columnRows(scene: Scene, layout: Layout): string[] {
  const strip = layout.strip ? [stripRow(scene, layout)] : [];
  const { lead } = scene.viewer.reading;
  if (layout.shown === 0)
    return [
      ...(layout.lead > 0 ? leadRows(lead, scene.theme, scene.columns) : []),
      ...synthesisRows(scene, layout),
      ...strip,
    ];
  return [
    ...strip,
    ...headerRows(scene, layout),
    ...bodyRows(scene, layout),
    ...synthesisRows(scene, layout),
  ];
}

/**
 * Draws the row of tabs. If there is too little room, gaps shrink first; then other tabs are shown by number
 * only, which is also their key.
 */
function tabRow({ viewer, theme, columns }: Scene): string {
  const isChosen = (tab: NumberedTab): boolean => tab.id === viewer.tab?.id;
  const whole = viewer.tabs.map((tab) => `${tab.number} ${tab.title}`);
  const short = viewer.tabs.map((tab, index) =>
    isChosen(tab) ? (whole[index] ?? '') : String(tab.number),
  );
  const cells = whole.reduce((sum, title) => sum + textWidth(title), 0);
  // Each title takes three more cells: a blank or bracket on either side, and a gap.
  const isWide = cells + 3 * whole.length <= columns;
  const fits = isWide || cells + whole.length + 2 <= columns;
  const titles = viewer.tabs.map((tab, index) => {
    const title = (fits ? whole : short)[index] ?? '';
    if (isChosen(tab)) return theme.inverse(`[${title}]`);
    return fits && !isWide ? title : ` ${title} `;
  });
  return ` ${titles.join(' ')}`;
}

/** Returns the height of the help, which replaces the columns. */
function helpHeight({ rows, viewer }: Scene): number {
  return rows - 3 - (viewer.tabs.length > 1 ? 1 : 0);
}
