/** Tab 1: one column a seat, and the synthesis below. */
import type { ReactNode } from 'react';
import { Rows } from '../../terminal/rows.tsx';
import { bodyRows } from '../bands/body.ts';
import { headerRows, stripRow } from '../bands/headers.ts';
import { synthesisRows } from '../bands/synthesis.ts';
import type { Scene } from '../scene.ts';

export function Columns({ scene }: { readonly scene: Scene }): ReactNode {
  const { layout } = scene;
  if (layout === undefined) return null;
  return (
    <>
      <Rows rows={layout.strip ? [stripRow(scene, layout)] : []} />
      <Rows rows={headerRows(scene, layout)} />
      <Rows rows={layout.shown === 0 ? [] : bodyRows(scene, layout)} />
      <Rows rows={synthesisRows(scene, layout)} />
    </>
  );
}
