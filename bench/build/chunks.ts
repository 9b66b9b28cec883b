/**
 * Decides which modules of the program share a file of the build.
 *
 * Reading, linking and running a file costs the start about 0.2 ms, and a bundler that looks at each `import()`
 * by itself makes 200 files of what a board needs before its first request. So the build starts from the
 * commands: modules that the same commands need share one file, and a small file joins one that more commands
 * need. Modules that no command needs at its start are left to the bundler. A file runs as a whole when one of
 * its modules is imported, so what comes later in a start, or not in every run, needs an entry of its own below.
 */
import { join } from 'node:path';

/** The modules whose `import()`s are the commands. */
const COMMAND_LISTS = ['cli/commands', 'cli/run-commands', 'protocols/desks'];
/** What every command loads. */
const EVERY = ['cli/main', 'kernel/providers/names'];
/** What commands get after their first frame, except for those that begin without it. */
const REGISTRY = 'protocols/registry/registry';
const QUICK = ['cli/list', 'cli/usage', 'cli/presets/presets'];
/** The modules that a command which asks models loads by `import()` before its first request. */
const RUN = [
  REGISTRY,
  'app/settings/attachments',
  'app/settings/config',
  'app/settings/discovery',
  'app/settings/look-folders',
  'app/settings/pages',
  'app/settings/providers',
  'app/settings/servers',
  'app/store',
  'io/confirm',
];
const BOARD = [
  ...RUN,
  'app/settings/model-names',
  'protocols/board/board',
  'protocols/board/desk/convene',
  'protocols/board/desk/settings',
];
const LINES = ['app/run/in-lines'];
const CONSOLE = ['cli/first', 'console/replay/timeline', 'console/terminal/ink'];

/**
 * Starts that load more than their command's own module, each with the modules loaded by `import()`, as
 * paths in `src` without extension. If one is missing here, its start loads a few more files.
 */
const STARTS: readonly (readonly string[])[] = [
  EVERY,
  // This module draws the first frame of a screen, before Ink is loaded.
  ['cli/first'],
  [...BOARD, ...LINES, 'protocols/board/view/plain'],
  [REGISTRY, 'app/store', 'cli/show', 'protocols/board/board', 'protocols/board/view/plain'],
  [REGISTRY, 'app/store', 'cli/show', 'protocols/rounds/rounds', 'protocols/rounds/view/plain'],
  [
    ...[...RUN, ...LINES, 'protocols/rounds/desk/convene'],
    ...['protocols/rounds/rounds', 'protocols/rounds/view/plain'],
  ],
  [
    ...[...BOARD, ...CONSOLE, 'app/run/in-console', 'console/ui/dialog'],
    'protocols/board/view/console',
  ],
  [
    ...[
      ...CONSOLE,
      REGISTRY,
      'app/decisions/due',
      'app/home/history',
      'app/home/home',
      'app/settings/config',
    ],
    ...['app/settings/providers', 'app/settings/servers', 'app/store', 'app/track/read'],
    ...['app/track/sheet', 'evaluation/track/runs', 'protocols/agents/desk/home'],
    ...[
      'protocols/agents/files/catalog',
      'protocols/board/desk/home',
      'protocols/debate/desk/home',
    ],
    ...['protocols/plan/desk/home', 'protocols/rounds/desk/home', 'protocols/team/desk/home'],
  ],
];
/**
 * Modules that get files of their own: separate programs, and what only some runs need. They share no file
 * with modules that they do not import.
 */
const APART = [
  'sdk/protocol',
  'documents/formats/process',
  'documents/formats/thread',
  'protocols/rehearsal/perform',
];

/** A file with less than this many characters of source joins another one. */
const SMALL = 18_000;

/** What the bundler knows about the program's modules, by their absolute paths. */
interface Graph {
  getModuleInfo(id: string): Module | null;
}

interface Module {
  readonly code: string | null;
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}

/** Modules that share a file. */
interface Chunk {
  readonly starts: ReadonlySet<number>;
  readonly modules: Set<string>;
  size: number;
}

/**
 * Returns a function by which the bundler asks for the name of a module's output file, such as `start-3`.
 * Modules that the same commands need get the same name. The function returns null for a module that no
 * command needs at its start; the bundler then chooses the file. It throws an Error if a module that the
 * constants of `chunks.ts` list is not part of the program.
 * @param src the path of the folder `src`
 */
export function chunkNames(src: string): (id: string, graph: Graph) => string | null {
  let names: ReadonlyMap<string, string> | undefined;
  return (id, graph) => {
    names ??= nameChunks(chunksOf(src, graph));
    return names.get(id) ?? null;
  };
}

function nameChunks(chunks: readonly Chunk[]): Map<string, string> {
  return new Map(
    chunks.flatMap(({ modules }, at) => [...modules].map((id) => [id, `start-${at}`] as const)),
  );
}

function chunksOf(src: string, graph: Graph): Chunk[] {
  const moduleOf = (id: string): Module => {
    const module = graph.getModuleInfo(id);
    if (module === null) throw new Error(`${id} is not part of the program`);
    return module;
  };
  const pathOf = (name: string): string => {
    const path = join(src, name);
    return graph.getModuleInfo(`${path}.ts`) === null ? `${path}.tsx` : `${path}.ts`;
  };
  const withImports = (entries: readonly string[]): Set<string> => {
    const found = new Set(entries);
    for (const id of found) for (const imported of moduleOf(id).importedIds) found.add(imported);
    return found;
  };

  const every = EVERY.map(pathOf);
  const quick = new Set(QUICK.map(pathOf));
  const commands = COMMAND_LISTS.flatMap((list) => moduleOf(pathOf(list)).dynamicallyImportedIds);
  const starts = [
    ...commands.map((command) =>
      withImports([...every, ...(quick.has(command) ? [] : [pathOf(REGISTRY)]), command]),
    ),
    ...STARTS.map((names) => withImports([...every, ...names.map(pathOf)])),
    ...APART.map((name) => withImports([pathOf(name)])),
  ];

  const chunks = new Map<string, Chunk>();
  for (const id of new Set(starts.flatMap((start) => [...start]))) {
    const needing = new Set(starts.flatMap((start, at) => (start.has(id) ? [at] : [])));
    const key = [...needing].join();
    const chunk = chunks.get(key) ?? { starts: needing, modules: new Set<string>(), size: 0 };
    chunk.modules.add(id);
    chunk.size += moduleOf(id).code?.length ?? 0;
    chunks.set(key, chunk);
  }
  return joinSmall([...chunks.values()], (id) => moduleOf(id).importedIds);
}

/**
 * Joins each small chunk with one that more starts need, unless a start would then load a chunk that it did
 * not load before: everything the small chunk imports has to be in chunks that all these starts need.
 */
function joinSmall(
  chunks: readonly Chunk[],
  importsOf: (id: string) => readonly string[],
): Chunk[] {
  const chunkOf = new Map(
    chunks.flatMap((chunk) => [...chunk.modules].map((id) => [id, chunk] as const)),
  );
  const kept: Chunk[] = [];
  const mostNeededFirst = [...chunks].sort((a, b) => b.starts.size - a.starts.size);
  for (const chunk of mostNeededFirst) {
    const imported = [...chunk.modules].flatMap(importsOf).flatMap((id) => chunkOf.get(id) ?? []);
    const host =
      chunk.size >= SMALL
        ? undefined
        : kept.findLast(
            ({ starts }) =>
              isSubset(chunk.starts, starts) &&
              imported.every((other) => other === chunk || isSubset(starts, other.starts)),
          );
    if (host === undefined) {
      kept.push(chunk);
      continue;
    }
    for (const id of chunk.modules) {
      host.modules.add(id);
      chunkOf.set(id, host);
    }
    host.size += chunk.size;
  }
  return kept;
}

function isSubset(some: ReadonlySet<number>, all: ReadonlySet<number>): boolean {
  return [...some].every((start) => all.has(start));
}
