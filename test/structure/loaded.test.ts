/** What is loaded when: before the first frame, and for commands that only read, as little as can be. */
import { relative } from 'node:path';
import { build } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { ROOT } from './imports.ts';

/** Files of commands that read runs and ask no model. */
const READERS = [
  'src/cli/show.ts',
  'src/cli/rm.ts',
  'src/cli/export.ts',
  'src/app/run/replay.ts',
  'src/app/run/watch.ts',
  'src/app/demo/demo.ts',
  'src/app/run/diff.ts',
  'src/protocols/rounds/desk/records.ts',
  'src/mcp/mcp.ts',
] as const;
/** The file that every command loads after its first frame. */
const REGISTRY = 'src/protocols/registry/registry.ts';
const STARTS = [
  REGISTRY,
  ...READERS,
  'src/app/run/resume.ts',
  'src/protocols/board/desk/convene.ts',
  'src/cli/main.ts',
  'src/cli/first.ts',
  'src/console/run/start.ts',
  'src/console/home/open.ts',
  'src/console/history/open.ts',
  'src/app/home/home.ts',
  'src/console/terminal/ink.tsx',
  'src/store/store.ts',
] as const;

/** The modules that each module imports, by paths from the project's folder; `import()` is left out. */
const imports = new Map<string, readonly string[]>();

await build({
  cwd: ROOT,
  input: [...STARTS],
  write: false,
  platform: 'node',
  tsconfig: false,
  external: ['better-sqlite3', 'react-devtools-core'],
  logLevel: 'silent',
  plugins: [
    {
      name: 'imports',
      buildEnd() {
        for (const id of this.getModuleIds())
          imports.set(toRelative(id), (this.getModuleInfo(id)?.importedIds ?? []).map(toRelative));
      },
    },
  ],
});

function toRelative(id: string): string {
  return id.startsWith('/') ? relative(ROOT, id) : id;
}

/** Returns every module that has run when a file of `src` has: what it imports, directly or not. */
function loadedBy(file: (typeof STARTS)[number]): string[] {
  const seen = new Set<string>([file]);
  for (const id of seen) for (const imported of imports.get(id) ?? []) seen.add(imported);
  return [...seen];
}

/** Returns the names of the packages among the modules. */
function packagesIn(files: readonly string[]): string[] {
  const named = files.flatMap((file) =>
    file.startsWith('src/') || file.startsWith('node:') || file.startsWith('(disabled)')
      ? []
      : [file.replace(/^node_modules\/((?:@[^/]+\/)?[^/]+).*$/, '$1')],
  );
  return [...new Set(named)].sort();
}

const HEAVY = ['ink', 'react', 'zod', 'yaml', 'better-sqlite3'];

describe('before it draws the first frame, the program', () => {
  it('parses a command line and prints help without loading any package', () => {
    expect(packagesIn(loadedBy('src/cli/main.ts'))).toEqual([]);
  });

  it('loads a single package: get-east-asian-width', () => {
    expect(packagesIn(loadedBy('src/cli/first.ts'))).toEqual(['get-east-asian-width']);
  });

  it('does not load Ink or React', () => {
    for (const screen of ['run/start.ts', 'home/open.ts', 'history/open.ts'] as const) {
      const packages = packagesIn(loadedBy(`src/console/${screen}`));
      expect(packages).not.toContain('ink');
      expect(packages).not.toContain('react');
    }
  });

  it('does not load the library that colors code in texts', () => {
    for (const start of STARTS) expect(packagesIn(loadedBy(start))).not.toContain('highlight.js');
    const late = [...imports.keys()].filter((file) => file.includes('highlight.js/'));
    expect(late.filter((file) => file.endsWith('languages/python.js'))).not.toEqual([]);
  });

  it('is searched for packages by a function that does find Ink, React, zod, yaml and SQLite in other code', () => {
    const files = [
      ...loadedBy('src/app/home/home.ts'),
      ...loadedBy('src/console/terminal/ink.tsx'),
      ...loadedBy('src/store/store.ts'),
    ];
    expect(packagesIn(files)).toEqual(expect.arrayContaining(HEAVY));
  });
});

describe('tool servers', () => {
  it('load their library by import(), never when a command starts', () => {
    const hasClient = (files: readonly string[]): boolean =>
      files.some((file) => file.includes('@modelcontextprotocol/client/'));
    for (const start of STARTS) {
      expect(hasClient(loadedBy(start)), start).toBe(false);
      expect(loadedBy(start), start).not.toContain('src/tools/servers/servers.ts');
    }
    expect(hasClient([...imports.keys()])).toBe(true);
  });
});

describe('code that calls models', () => {
  const ASKING = ['src/models/gateway.ts', 'src/protocols/rehearsal/perform.ts'];
  const loadedFor = (command: (typeof STARTS)[number]): string[] => [
    ...loadedBy(command),
    ...loadedBy(REGISTRY),
  ];

  it.each(READERS)('is not loaded by %s, which only reads runs', (file) => {
    const loaded = loadedFor(file);
    expect(loaded).toContain('src/protocols/vocabulary.ts');
    expect(loaded.filter((file) => ASKING.includes(file))).toEqual([]);
  });

  it('is loaded without the rehearsal’s placeholder texts when a command such as `board` starts', () => {
    for (const start of ['src/app/run/resume.ts', 'src/protocols/board/desk/convene.ts'] as const) {
      expect(loadedFor(start)).toContain('src/protocols/rehearsal/provider.ts');
      expect(loadedFor(start)).not.toContain('src/protocols/rehearsal/perform.ts');
    }
    expect([...imports.keys()]).toContain('src/protocols/rehearsal/perform.ts');
  });

  it('is loaded by the command that continues a run, in contrast to commands that only read runs', () => {
    expect(loadedBy('src/app/run/resume.ts')).toContain('src/models/gateway.ts');
  });
});
