/** Which role the next round goes without: one of the panel's, or none. */

import type { RunModel } from '../../../console/model/run-model.ts';
import type { RoleName } from '../fold.ts';
import { ROLES } from '../records/types.ts';

export interface StressChoice {
  /** Null: everybody is there. */
  readonly absent: RoleName | null;
  readonly words: string;
}

export function stressChoices(desk: RunModel): StressChoice[] {
  return [
    ...ROLES.map((absent) => ({ absent, words: `without the ${desk.nameOf(absent)}` })),
    { absent: null, words: 'with everybody: no stress round' },
  ];
}

/** The selection after a key in a list of `count`. */
export function selected(at: number, key: string, count: number): number {
  if (key === 'down' || key === 'tab' || key === 'j') return (at + 1) % count;
  if (key === 'up' || key === 'shift+tab' || key === 'k') return (at - 1 + count) % count;
  const number = /^[1-9]$/.test(key) ? Number(key) : 0;
  return number >= 1 && number <= count ? number - 1 : at;
}
