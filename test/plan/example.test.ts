/** Tests the built-in example repository: it runs, and a plan can find in it what it should. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SPECIALIST_KIND, type Specialist } from '../../src/io/preset-kinds.ts';
import { listSlugs } from '../../src/io/presets.ts';
import type { Knowledge } from '../../src/knowledge/knowledge.ts';
import { Project } from '../knowledge/project.ts';
import { findFreePort } from '../servers/free-ports.ts';
import { needProgram } from '../setup/needs.ts';
import { temporaryFolder } from '../store/folder.ts';

const EXAMPLE = join(import.meta.dirname, '../../presets/examples/plan');
const TOPIC = readFileSync(join(EXAMPLE, 'docs/planning/increment/topic.md'), 'utf8');

function indexExample(): Knowledge {
  const project = new Project();
  cpSync(EXAMPLE, project.folder, { recursive: true });
  const knowledge = project.open();
  const { added, problems, leftOut } = knowledge.update(project.pathsOf('docs'));
  // The example's topic is not indexed as a document.
  expect({ added: added.length, problems, leftOut }).toMatchObject({
    added: 10,
    problems: [],
    leftOut: [{ path: 'docs/planning/increment/topic.md', why: 'it is the topic of a plan' }],
  });
  return knowledge;
}

function readSpecialists(): Specialist[] {
  const folder = join(EXAMPLE, '.deliberate/specialists');
  return readdirSync(folder).map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return SPECIALIST_KIND.read({
      file: name,
      text,
      slug: name.replace('.md', ''),
      origin: 'project',
      env: {},
    });
  });
}

it('the built-in example of a plan has a specialist of its own for every cluster of documents', () => {
  const owned = readSpecialists().flatMap(({ clusters }) => clusters);
  expect([...new Set(owned)].sort()).toEqual(
    indexExample()
      .cards()
      .map(({ name }) => name)
      .sort(),
  );
  const builtIn = listSlugs(SPECIALIST_KIND, { HOME: temporaryFolder() });
  expect(builtIn).toContain('security');
  for (const { slug } of readSpecialists()) expect(builtIn).not.toContain(slug);
});

it('the topic of the built-in example of a plan concerns four clusters, one of them without documents', async () => {
  const knowledge = indexExample();
  const { touched } = await knowledge.gaps(TOPIC);
  const has = new Map(touched.map(({ cluster, chunks }) => [cluster, chunks > 0]));
  expect(Object.fromEntries(has)).toEqual({ rules: true, tuning: true, wire: true, saves: false });
  expect(readSpecialists().filter(({ clusters }) => clusters.join() === 'saves')).toHaveLength(1);
  const undecided = knowledge.sections().filter(({ clusters }) => clusters.length === 0);
  expect([...new Set(undecided.map(({ path }) => path))]).toEqual([]);
});

it('two domains in the built-in example of a plan have contradictory documents', async () => {
  const knowledge = indexExample();
  const searchCluster = async (cluster: string): Promise<string> => {
    const { hits } = await knowledge.search('figures changed at any time, version', {
      clusters: [cluster],
      kinds: ['section'],
    });
    return hits.map(({ chunk }) => chunk.text).join('\n');
  };
  expect(await searchCluster('wire')).toContain('never changes within a version');
  expect(await searchCluster('tuning')).toContain('may be changed at any time');
  expect(await searchCluster('tuning')).toContain('the version is not raised');
  expect(knowledge.check().map(({ check }) => check.state)).toEqual(['stands', 'stands']);
});

it('the code of the built-in plan example, a network game for two, lets players interrupt a game and finish it later', async () => {
  const save = join(temporaryFolder(), 'save.json');
  const port = await findFreePort();
  const begun = await playGame(port, save, ['1 1'], ['2 1']);
  expect(begun.join()).toContain('nothing more comes');
  expect(JSON.parse(readFileSync(save, 'utf8'))).toEqual({
    preset: 'quick',
    moves: [
      { heap: 0, count: 1 },
      { heap: 1, count: 1 },
    ],
  });
  const [host = '', guest = ''] = await playGame(port, save, ['2 9', '2 2', '3 3'], ['3 2']);
  expect(host).toContain('Not allowed: a move takes at most 3.');
  expect(host).toMatch(/You win\.\n$/);
  expect(guest).toMatch(/They win\.\n$/);
  expect(existsSync(save)).toBe(false);
});

it('every file of the built-in example of a plan is in git and in the npm package', () => {
  const root = join(import.meta.dirname, '../..');
  needProgram('git');
  const names = readdirSync(EXAMPLE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(EXAMPLE, name)).isFile(),
  );
  const files = names.map((name) => `presets/examples/plan/${name}`).sort();
  const bytes = files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
  expect(bytes).toBeLessThan(40_000);
  const runProgram = (program: string, ...args: string[]): string =>
    execFileSync(program, args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, npm_config_cache: temporaryFolder() },
    });
  const tracked = runProgram('git', 'ls-files', 'presets/examples/plan').trim().split('\n');
  expect(tracked.sort()).toEqual(files);
  const [packed] = JSON.parse(
    runProgram('npm', 'pack', '--dry-run', '--json', '--ignore-scripts'),
  ) as [{ files: { path: string }[] }];
  expect(packed.files.map(({ path }) => path)).toEqual(expect.arrayContaining(files));
});

/** Returns what the screens of host and guest show when both have ended. */
async function playGame(
  port: number,
  save: string,
  host: readonly string[],
  guest: readonly string[],
): Promise<string[]> {
  const startPlayer = (typed: readonly string[], ...args: string[]): ChildProcess => {
    const child = spawn(process.execPath, [join(EXAMPLE, 'src/main.ts'), ...args], {
      env: { ...process.env, PEBBLES_SAVE: save },
    });
    child.stdin?.end(`${typed.join('\n')}\n`);
    return child;
  };
  const first = startPlayer(host, 'host', `${port}`, 'quick');
  const hosted = readScreen(first);
  await new Promise((resolve) => first.stdout?.once('data', resolve));
  return Promise.all([hosted, readScreen(startPlayer(guest, 'join', 'localhost', `${port}`))]);
}

async function readScreen(child: ChildProcess): Promise<string> {
  let said = '';
  child.stdout?.on('data', (some) => {
    said += some;
  });
  await new Promise((resolve) => child.once('close', resolve));
  return said;
}
