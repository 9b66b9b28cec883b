/** Reads the imports of `src`, those of types included, and checks them against the table of rooms. */
import { globSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { ROOMS, type Room } from './floors.ts';

/** The folder of the project. */
export const ROOT: string = join(import.meta.dirname, '..', '..');

/** An import in a file of `src`. */
export interface Import {
  /** The importing file, as a path below `src/`. */
  readonly from: string;
  /** The imported file, as a path below `src/`, or the name of the imported package. */
  readonly to: string;
  /** Whether a file of the project is imported, and not a package. */
  readonly ours: boolean;
  /** Whether the file is loaded by `import()` when it is needed. */
  readonly late: boolean;
}

/** Matches `from '…'`, `import '…'` and `import('…')`, as the formatter leaves them. */
const IMPORT = /\bfrom\s+'([^'\n]+)'|\bimport\s+'([^'\n]+)'|\bimport\(\s*'([^'\n]+)'/g;

/** Returns every import of every file below `src`, sorted by file. */
export function readImports(): Import[] {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).sort();
  return files.flatMap((file) => {
    const from = posix.normalize(relative('src', file));
    const text = readFileSync(join(ROOT, file), 'utf8').replace(/^\s*(?:\/\*)?\*.*$/gm, '');
    return [...text.matchAll(IMPORT)].map((found) => {
      const named = found[1] ?? found[2] ?? found[3] ?? '';
      const ours = named.startsWith('.');
      const to = ours
        ? posix.join(posix.dirname(from), named)
        : named.replace(/^(@[^/]+\/[^/]+|[^@/][^/]*).*$/, '$1');
      return { from, to, ours, late: found[3] !== undefined };
    });
  });
}

/**
 * Returns the room of a file, which is given as a path below `src/`. `name` is the name that stands for the
 * `*` in the room's path, and undefined without a `*`. Returns undefined if the file belongs to no room.
 */
export function roomOf(file: string): { room: Room; name: string | undefined } | undefined {
  let best: { room: Room; name: string | undefined } | undefined;
  for (const room of ROOMS) {
    const pattern = new RegExp(`^${room.path.replaceAll('*', '([^/.]+)')}(?:/|\\.tsx?$)`);
    const found = pattern.exec(file);
    if (found && (best === undefined || getRank(room) > getRank(best.room)))
      best = { room, name: found[1] };
  }
  return best;
}

/**
 * Returns the rank of a room for a file: a longer path is higher, and a name is higher than a star of
 * the same length.
 */
function getRank({ path }: Room): number {
  return path.split('/').length * 2 + (path.includes('*') ? 0 : 1);
}

/**
 * Returns the files that import from a protocol's folder and are outside of this folder, sorted. Rooms that
 * protocols share do not count as a protocol's folder.
 */
export function findImportersOfProtocols(imports: readonly Import[]): string[] {
  const shared = new Set(ROOMS.map(({ path }) => path));
  const folderOf = (file: string): string | undefined => {
    const folder = /^protocols\/[^/]+(?=\/)/.exec(file)?.[0];
    return folder === undefined || shared.has(folder) ? undefined : folder;
  };
  const reaching = imports.filter(({ from, to }) => {
    const folder = folderOf(to);
    return folder !== undefined && folder !== folderOf(from);
  });
  return [...new Set(reaching.map(({ from }) => from))].sort();
}

/**
 * Returns the imports that the table of rooms does not allow, as `FROM → TO`, sorted. An import by or of a
 * file that belongs to no room is not allowed.
 */
export function findForbidden(imports: readonly Import[]): string[] {
  const guarded = new Set(ROOMS.flatMap((room) => room.libraries ?? []));
  const forbidden = imports.filter(({ from, to, ours, late }) => {
    const here = roomOf(from);
    if (here === undefined) return true;
    if (!ours) {
      if (here.room.pure && to.startsWith('node:')) return true;
      return guarded.has(to) && !here.room.libraries?.includes(to);
    }
    const there = roomOf(to);
    if (there === undefined) return true;
    if (there.room === here.room && there.name === here.name) return false;
    const allowed = late ? [...here.room.from, ...(here.room.late ?? [])] : here.room.from;
    return !allowed.some(
      (path) =>
        path === there.room.path &&
        (there.name === undefined || here.name === undefined || there.name === here.name),
    );
  });
  return [...new Set(forbidden.map(({ from, to }) => `${from} → ${to}`))].sort();
}

/**
 * Returns the groups of files that import each other in a circle, the largest group first. Late imports are
 * left out.
 */
export function findCircles(imports: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to, ours, late } of imports)
    if (ours && !late) next.set(from, [...(next.get(from) ?? []), to]);
  // Find the circles of imports by Tarjan’s algorithm for strongly connected components.
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visitFile = (file: string): void => {
    const ownIndex = index.size;
    index.set(file, ownIndex);
    low.set(file, ownIndex);
    stack.push(file);
    for (const to of next.get(file) ?? []) {
      if (!index.has(to)) visitFile(to);
      if (stack.includes(to))
        low.set(file, Math.min(low.get(file) ?? ownIndex, low.get(to) ?? ownIndex));
    }
    if (low.get(file) !== ownIndex) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const file of next.keys()) if (!index.has(file)) visitFile(file);
  return circles.sort((a, b) => b.length - a.length);
}

/**
 * Returns each piece of a source text that makes code depend on the name of a protocol: it compares with the
 * name, has a `case` for it, or begins a set, an enum or a fixed list with it.
 */
export function findProtocolComparisons(text: string, names: ReadonlySet<string>): string[] {
  const name = `(['"\`])(?:${[...names].join('|')})\\1`;
  const list = `\\[\\s*${name}(?:,\\s*['"\`][^'"\`\\n]*['"\`])*,?\\s*\\]`;
  const asked = [
    `[=!]==? *${name}`,
    `${name} *[=!]==?`,
    `\\bcase +${name}:`,
    `\\b(?:enum|Set(?:<[^>]*>)?)\\(\\s*${list}`,
    `${list}(?:\\.includes\\(| as const)`,
  ];
  return asked.flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, 'g'))].map(([found]) => found),
  );
}
