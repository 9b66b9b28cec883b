/**
 * What the desks of the protocols say of themselves, by the protocol's name and in the order in which
 * people are offered them. Each part is loaded when it is needed.
 */
import type { HomePart } from '../app/home/part.ts';
import type { ToolPart } from '../app/tool-part.ts';

interface Desk {
  /** Its part of the home screen. */
  readonly home: () => Promise<HomePart>;
  /** How coding agents begin it; absent: only people do. */
  readonly tool?: () => Promise<ToolPart>;
}

const DESKS: ReadonlyMap<string, Desk> = new Map<string, Desk>([
  [
    'board',
    {
      home: async () => (await import('./board/desk/home.ts')).home,
      tool: async () => (await import('./board/desk/tool.ts')).tool,
    },
  ],
  [
    'rounds',
    {
      home: async () => (await import('./rounds/desk/home.ts')).home,
      tool: async () => (await import('./rounds/desk/tool.ts')).tool,
    },
  ],
  [
    'agent',
    {
      home: async () => (await import('./agents/desk/home.ts')).home,
      tool: async () => (await import('./agents/desk/tool.ts')).tool,
    },
  ],
  ['plan', { home: async () => (await import('./plan/desk/home.ts')).home }],
  ['team', { home: async () => (await import('./team/desk/home.ts')).home }],
]);

/** By the protocol's name. */
export type HomeParts = ReadonlyMap<string, HomePart>;
export type ToolParts = ReadonlyMap<string, ToolPart>;

export function homeParts(): Promise<HomeParts> {
  return loadEach(({ home }) => home);
}

/** Of the protocols that coding agents may begin. */
export function toolParts(): Promise<ToolParts> {
  return loadEach(({ tool }) => tool);
}

/** Undefined where only people begin it. */
export async function toolOf(name: string): Promise<ToolPart | undefined> {
  return DESKS.get(name)?.tool?.();
}

async function loadEach<T>(
  partOf: (desk: Desk) => (() => Promise<T>) | undefined,
): Promise<ReadonlyMap<string, T>> {
  const there = [...DESKS].flatMap(([name, desk]) => {
    const load = partOf(desk);
    return load === undefined ? [] : [{ name, load }];
  });
  return new Map(
    await Promise.all(there.map(async ({ name, load }) => [name, await load()] as const)),
  );
}
