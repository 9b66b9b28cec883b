/** The Run screen: title, the tab's body, status and keys, and at most one dialog over them. */
import { Box } from 'ink';
import type { ReactNode } from 'react';
import { keyOf } from '../keys/bindings.ts';
import { Rows } from '../terminal/rows.tsx';
import { TooSmall } from '../terminal/too-small.tsx';
import { DialogView } from '../ui/dialog.tsx';
import { footerRow, statusRow } from './bands/foot.ts';
import { helpLines } from './bands/help.ts';
import { titleRow } from './bands/title.ts';
import type { Scene } from './scene.ts';
import { Columns } from './tabs/columns.tsx';

interface RunScreenProps {
  readonly scene: Scene;
}

export function RunScreen({ scene }: RunScreenProps): ReactNode {
  const { columns, rows, theme } = scene;
  return (
    <Box width={columns} height={rows} flexDirection="column">
      {scene.layout === undefined ? (
        <TooSmall columns={columns} rows={rows} theme={theme} />
      ) : (
        <Page scene={scene} />
      )}
    </Box>
  );
}

function Page({ scene }: RunScreenProps): ReactNode {
  const { viewer, theme, columns, rows } = scene;
  const { mode, tabs, dialog } = viewer;
  return (
    <>
      <Rows rows={[titleRow(scene)]} />
      <Rows rows={tabs.length > 1 ? [tabRow(scene)] : []} />
      {mode.kind === 'help' ? <Rows rows={helpPage(scene, mode.top)} /> : <Body scene={scene} />}
      <Rows rows={[statusRow(scene), footerRow(scene)]} />
      {dialog !== undefined && (
        <DialogView
          dialog={dialog}
          theme={theme}
          keymap={viewer.around.keymap}
          columns={columns}
          rows={rows}
        />
      )}
    </>
  );
}

function Body({ scene }: { readonly scene: Scene }): ReactNode {
  const { page } = scene.viewer;
  return page === undefined ? <Columns scene={scene} /> : <Rows rows={page.render(scene)} />;
}

function tabRow({ viewer, theme }: Scene): string {
  const titles = viewer.tabs.map((tab) => {
    const title = `${tab.number} ${tab.title}`;
    return tab === viewer.tab ? theme.inverse(`[${title}]`) : ` ${title} `;
  });
  return ` ${titles.join(' ')}`;
}

/** The help in place of the columns, scrolled where it does not fit. */
function helpPage(scene: Scene, wanted: number): string[] {
  const { theme, rows, viewer } = scene;
  const height = rows - 3 - (viewer.tabs.length > 1 ? 1 : 0);
  const lines = helpLines(scene);
  const top = Math.min(wanted, Math.max(0, lines.length - height));
  if (top < wanted) viewer.helpEndsAt(top);
  const page = lines.slice(top, top + height);
  while (page.length < height) page.push('');
  const below = lines.length - top - height;
  const down = keyOf(viewer.around.keymap, 'down');
  if (below > 0) page[height - 1] = theme.inverse(` ${below + 1} more below (${down}) `);
  return page;
}
