/** The structure of `src`: its floors hold, and nothing outside asks for a protocol's name. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_IN } from '../../src/protocols/table.ts';
import { findClocks, readTests } from './clocks.ts';
import { findTestOnlyExports, findUnusedExports, readFiles } from './exports.ts';
import { ROOMS } from './floors.ts';
import {
  findCircles,
  findForbidden,
  findImportersOfProtocols,
  findProtocolComparisons,
  type Import,
  ROOT,
  readImports,
  roomOf,
} from './imports.ts';

const makeOwnImport = (from: string, to: string, late = false): Import => ({
  from,
  to,
  ours: true,
  late,
});
const makeLibraryImport = (from: string, to: string): Import => ({
  from,
  to,
  ours: false,
  late: false,
});

describe('the table of which folder may import which', () => {
  it.each([
    ['of a protocol by the kernel', makeOwnImport('kernel/run.ts', 'protocols/board/fold.ts')],
    [
      'of the console by a protocol’s core',
      makeOwnImport('protocols/board/board.ts', 'console/model/live-run.ts'),
    ],
    [
      'of a protocol’s view by its core',
      makeOwnImport('protocols/board/board.ts', 'protocols/board/view/x.ts'),
    ],
    [
      'of one protocol by another',
      makeOwnImport('protocols/board/collect-answers.ts', 'protocols/rounds/fold.ts'),
    ],
    [
      'of one protocol by another’s view',
      makeOwnImport('protocols/board/view/a.ts', 'protocols/rounds/a.ts'),
    ],
    [
      'of a protocol by the plain output',
      makeOwnImport('plain/report.ts', 'protocols/board/fold.ts'),
    ],
    ['of the store by the code for models', makeOwnImport('models/gateway.ts', 'store/store.ts')],
    [
      'of the table of protocols by the application layer',
      makeOwnImport('app/store.ts', 'protocols/table.ts'),
    ],
    ['of the SDK by the application layer', makeOwnImport('app/run/fork.ts', 'sdk/define.ts')],
    [
      'of the command line by the application layer',
      makeOwnImport('app/run/resume.ts', 'cli/main.ts'),
    ],
    [
      'of a protocol’s desk by the command line',
      makeOwnImport('cli/main.ts', 'protocols/board/desk/a.ts', true),
    ],
    [
      'of a desk at the start instead of by import()',
      makeOwnImport('protocols/table.ts', 'protocols/board/desk/home.ts'),
    ],
    ['by a file that is in no room', makeOwnImport('somewhere/file.ts', 'kernel/run.ts')],
    [
      'of a library by a room that may not use it',
      makeLibraryImport('kernel/run.ts', 'better-sqlite3'),
    ],
    ['of a Node module by a room of pure functions', makeLibraryImport('text/width.ts', 'node:fs')],
  ])('forbids the import %s', (_what, entry) => {
    expect(findForbidden([entry])).toEqual([`${entry.from} → ${entry.to}`]);
  });

  it.each([
    [
      'of a protocol’s core by its view',
      makeOwnImport('protocols/board/view/vote.ts', 'protocols/board/fold.ts'),
    ],
    [
      'of a desk by import()',
      makeOwnImport('protocols/desks.ts', 'protocols/board/desk/a.ts', true),
    ],
    ['of a file in the same room', makeOwnImport('kernel/run.ts', 'kernel/bus.ts')],
    [
      'of a library by the room that may use it',
      makeLibraryImport('store/database.ts', 'better-sqlite3'),
    ],
  ])('allows the import %s', (_what, entry) => {
    expect(findForbidden([entry])).toEqual([]);
  });

  it('covers every source file, and has no entry without a file', () => {
    const files = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).map((file) => file.slice(4));
    const rooms = files.map((file) => roomOf(file)?.room.path);
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
    expect(ROOMS.map(({ path }) => path).filter((path) => !rooms.includes(path))).toEqual([]);
  });

  it('allows every import in the sources', () => {
    expect(findForbidden(readImports())).toEqual([]);
  });
});

describe('circular imports', () => {
  it('are found by the search, unless one of the imports is a call of import()', () => {
    const circle = [makeOwnImport('a', 'b'), makeOwnImport('b', 'c'), makeOwnImport('c', 'a')];
    expect(findCircles(circle)).toEqual([['a', 'b', 'c']]);
    expect(findCircles([...circle.slice(0, 2), makeOwnImport('c', 'a', true)])).toEqual([]);
  });

  it('do not exist in the sources', () => {
    expect(findCircles(readImports())).toEqual([]);
  });
});

describe('exports of source files', () => {
  const makeFiles = (importing: string): ReadonlyMap<string, string> =>
    new Map([
      ['src/text/a.ts', 'export const one = 1;\nexport async function two() {}\n'],
      ['src/text/b.ts', "export { one as three } from './a.ts';\n"],
      ['src/kernel/c.ts', importing],
      ['src/sdk/protocol.ts', 'export interface ForOthers {}\n'],
    ]);

  it.each([
    ['two, if that file is empty', '', ['src/text/a.ts: two', 'src/text/b.ts: three']],
    [
      'two, if that file mentions one in a comment',
      " * import { two } from '../text/a.ts'",
      undefined,
    ],
    [
      'two, if that file imports the names from elsewhere',
      "import { two, three } from './a.ts';",
      undefined,
    ],
    [
      'only one, if that file imports the other by its name',
      "import { type two as x } from '../text/a.ts';",
      ['src/text/b.ts: three'],
    ],
    [
      'only one, if that file imports the other by import()',
      "const { two } = await import('../text/a.ts');",
      ['src/text/b.ts: three'],
    ],
    [
      'only one, if that file imports a whole file and uses the other',
      "import * as b from '../text/b.ts';\nb.three;",
      ['src/text/a.ts: two'],
    ],
    [
      'only one, if that file exports the whole file of the other',
      "export type * from '../text/b.ts';",
      ['src/text/a.ts: two'],
    ],
  ])('are listed as unused unless another file imports them: %s', (_what, importing, unused) => {
    expect(findUnusedExports(makeFiles(importing))).toEqual(
      unused ?? ['src/text/a.ts: two', 'src/text/b.ts: three'],
    );
  });

  it.each([
    ['an export without other users is reported', '', ['src/text/a.ts: one']],
    [
      'an export that the program imports as well is not',
      "import { one } from '../text/a.ts';",
      [],
    ],
  ])('are reported if only tests use them: %s', (_what, importing, alone) => {
    const tested = new Map([
      [
        'src/text/a.ts',
        '/** one */\nexport const one = 1;\nexport const two = 2;\nconst x = two;\n',
      ],
      ['src/kernel/c.ts', importing],
      ['test/text/a.test.ts', "import { one, two } from '../../src/text/a.ts';\n"],
    ]);
    expect(findTestOnlyExports(tested)).toEqual(alone);
  });

  it('are all used outside of tests', () => {
    expect(findUnusedExports(readFiles())).toEqual([]);
    expect(findTestOnlyExports(readFiles())).toEqual([]);
  });
});

describe('the search for comparisons with a protocol’s name', () => {
  it.each([
    "if (run.protocol === 'board') return;",
    "const isPlan = 'plan' !== kind;",
    "switch (id) {\n  case 'team': return 1;\n}",
    "const some = ['board', 'rounds'].includes(kind);",
    'if (kind === "agent") return;',
    "const KINDS = new Set(['rounds']);",
    "kind: z.enum(['board', 'rounds', 'agent'])",
    "const KINDS = ['board', 'agent'] as const;",
  ])('finds: %s', (text) => {
    expect(findProtocolComparisons(text, BUILT_IN)).not.toEqual([]);
  });

  it.each([
    "if (asked === 'agents') return;",
    "import { board } from './board';",
    "export const EXAMPLES = { id: 'board', protocol: 'board' };",
    "flags: ['model', 'rounds', 'stress'],",
    '// one.protocol === the board',
  ])('ignores: %s', (text) => {
    expect(findProtocolComparisons(text, BUILT_IN)).toEqual([]);
  });

  it('finds no such comparison in the source files outside of src/protocols', () => {
    expect(BUILT_IN.size).toBeGreaterThanOrEqual(5);
    const found = globSync('src/**/*.{ts,tsx}', { cwd: ROOT })
      .filter((file) => !file.startsWith('src/protocols/'))
      .flatMap((file) =>
        findProtocolComparisons(readFileSync(join(ROOT, file), 'utf8'), BUILT_IN).map(
          (asked) => `${file}: ${asked}`,
        ),
      );
    expect(found).toEqual([]);
  });
});

describe('imports from a protocol’s folder', () => {
  it('are reported if the importing file is in another folder', () => {
    const imports = [
      makeOwnImport('protocols/board/view/a.ts', 'protocols/board/board.ts'),
      makeOwnImport('protocols/board/board.ts', 'protocols/common/prompts/fence.ts'),
      makeOwnImport('cli/a.ts', 'protocols/table.ts'),
      makeOwnImport('cli/b.ts', 'protocols/board/desk/a.ts', true),
      makeOwnImport('protocols/team/desk/a.ts', 'protocols/agents/files/a.ts'),
    ];
    expect(findImportersOfProtocols(imports)).toEqual(['cli/b.ts', 'protocols/team/desk/a.ts']);
  });

  it('exist only in the files that list protocols, and in the team’s command', () => {
    expect(findImportersOfProtocols(readImports())).toEqual([
      'protocols/desks.ts',
      'protocols/exported.ts',
      'protocols/table.ts',
      // The team's command reads the files of the protocol `agents`, because agents can play the seats of a
      // team.
      'protocols/team/desk/convene.ts',
      'protocols/vocabulary.ts',
    ]);
  });
});

describe('the search for tests whose result depends on the clock', () => {
  const inTest = (text: string): string[] => findClocks(new Map([['test/a.test.ts', text]]), NONE);
  const NONE: ReadonlyMap<string, string> = new Map();

  it.each([
    'const began = performance.now();',
    'const end = globalThis.performance.now() + 60_000;',
    'const at = performance.timeOrigin + 10;',
    'const { user } = process.cpuUsage();',
    'const before = process.threadCpuUsage();',
    'const used = process.resourceUsage();',
    'const began = process.hrtime.bigint();',
    "console.time('a');",
    'while (Date.now() < end) await sleep(1);',
    'if (end <= new Date().getTime()) break;',
    'const took = Date.now() - began;',
    'expect(Date.now()).toBeGreaterThan(at);',
    'expect(\n  Date.now() - at,\n).toBeLessThan(5);',
    'expect(at).toBeLessThan(\n  new Date().valueOf(),\n);',
  ])('finds: %j', (text) => {
    expect(inTest(text)).toHaveLength(1);
  });

  it.each([
    'const at = new Date().toISOString();',
    'const old = new Date(Date.now() - 31 * 86_400_000).toISOString();',
    'this.listed = { expiresAt: Date.now() + 60_000 };',
    'const player = new Player({ monotonic: () => Date.now() });',
    '/** Milliseconds of `performance.now()`. */',
    '  // As performance.now() has it.',
    "vi.spyOn(performance, 'now').mockImplementation(() => time);",
    'const at = new Date().toISOString();\nexpect(at).toBe(other);',
  ])('ignores: %j', (text) => {
    expect(inTest(text)).toEqual([]);
  });

  it('names the file and the line', () => {
    expect(inTest('const a = 1;\n\nconst b = performance.now();\n')).toEqual([
      'test/a.test.ts:3: const b = performance.now();',
    ]);
  });

  it('accepts listed files, and reports entries of the list that are not needed', () => {
    const files = new Map([
      ['test/a.ts', 'const a = performance.now();'],
      ['test/b.ts', 'const b = 1;'],
    ]);
    const listed = new Map(['test/a.ts', 'test/b.ts', 'test/c.ts'].map((file) => [file, 'why']));
    expect(findClocks(files, listed)).toEqual([
      'test/b.ts: an exception that is not needed',
      'test/c.ts: an exception for a file that is not there',
    ]);
  });

  it('finds no such test in this project, except in listed files', () => {
    expect(findClocks(readTests())).toEqual([]);
  });
});

it('no folder of src has more than 26 files, and no file of src more than 450 lines', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: ROOT });
  const folders = new Map<string, number>();
  for (const file of files) {
    const folder = file.slice(0, file.lastIndexOf('/'));
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  expect([...folders].filter(([, count]) => count > 26)).toEqual([]);
  const long = files.filter(
    (file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length > 450,
  );
  expect(long).toEqual([]);
});
