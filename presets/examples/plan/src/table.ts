/** The figures of the game, apart from its rules: docs/tuning.md says how they are changed. */

export interface Preset {
  /** Pebbles in each heap at the beginning. */
  readonly heaps: readonly number[];
  /** The most that one move takes. */
  readonly most: number;
}

export const TABLE: ReadonlyMap<string, Preset> = new Map([
  ['quick', { heaps: [1, 3, 5], most: 3 }],
  ['standard', { heaps: [3, 5, 7], most: 3 }],
  ['long', { heaps: [5, 7, 9, 11], most: 4 }],
]);

export function presetCalled(name: string): Preset {
  const preset = TABLE.get(name);
  if (preset === undefined)
    throw new Error(`there is no preset "${name}"; there are ${[...TABLE.keys()].join(', ')}`);
  return preset;
}
