/** The tabs of a run, in the order of their number keys. A new tab is one more entry. */
import type { ReactNode } from 'react';
import type { RunView } from '../../kernel/view.ts';
import type { Scene } from '../scene.ts';
import { Columns } from './columns.tsx';

export interface Tab {
  readonly title: string;
  /** Whether it means something for this run. */
  readonly shown: (view: RunView) => boolean;
  readonly Body: (props: { readonly scene: Scene }) => ReactNode;
}

export const TABS: readonly Tab[] = [{ title: 'Columns', shown: () => true, Body: Columns }];
