/**
 * What a repository's files suggest: which commands check it, what its tests are, and which files decide
 * what a check means. Suggestions only; a person approves what is run. Pure.
 */
import type { Survey } from '../kernel/tools/workshop.ts';
import { fits } from '../text/globs.ts';

type Likely = Survey['checks'][number];

/** Long enough for the tests of a large project; a person may say otherwise. */
const TIMEOUT_S = 600;

/** Scripts that check something, in the order in which people run them. */
const SCRIPTS = ['test', 'check', 'typecheck', 'type-check', 'types', 'lint'];
/** What `npm init` writes where there are no tests. */
const NO_TESTS = /no test specified/;

const TARGETS = ['test', 'check', 'lint'];

/** Which program runs scripts, by the lock file that it writes. */
const MANAGERS: readonly (readonly [lock: string, manager: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

const NODE_TESTS = ['**/*.test.{js,mjs,cjs,ts,mts,cts}', '**/test/**/*.{js,mjs,cjs,ts,mts,cts}'];

/** Globs of tests, as the usual runners find them. */
const TESTS = [
  ...['**/*.test.*', '**/*.spec.*', '**/__tests__/**', '**/__snapshots__/**'],
  ...['**/test/**', '**/tests/**', '**/spec/**', '**/testdata/**'],
  ...['**/test_*.py', '**/*_test.py', '**/conftest.py', '**/*_test.go', '**/*Test.java'],
];

/** Whether they are there or not: a new one decides as well. */
export const GUARDED: readonly string[] = [
  ...['**/package.json', '**/package-lock.json', '**/npm-shrinkwrap.json', '**/pnpm-lock.yaml'],
  ...['**/pnpm-workspace.yaml', '**/yarn.lock', '**/bun.lock', '**/bun.lockb', '**/.npmrc'],
  ...['**/.yarnrc*', '**/.node-version', '**/.nvmrc', '**/.tool-versions', '**/mise.toml'],
  ...['**/tsconfig*.json', '**/jsconfig.json', '**/biome.json*', '**/.eslintrc*'],
  ...['**/eslint.config.*', '**/.prettierrc*', '**/prettier.config.*', '**/.swcrc', '**/.babelrc*'],
  ...['**/{vitest,vite,jest,ava,karma,playwright,cypress,babel}.config.*', '**/vitest.workspace.*'],
  ...['**/.mocharc*', '**/.nycrc*', '**/.c8rc*', '**/.taprc'],
  ...['**/pyproject.toml', '**/setup.cfg', '**/setup.py', '**/tox.ini', '**/pytest.ini'],
  ...['**/noxfile.py', '**/conftest.py', '**/requirements*.txt', '**/Pipfile*', '**/poetry.lock'],
  ...['**/uv.lock', '**/.flake8', '**/.pylintrc', '**/ruff.toml', '**/.ruff.toml', '**/mypy.ini'],
  ...['**/Cargo.toml', '**/Cargo.lock', '**/build.rs', '**/.cargo/**', '**/rust-toolchain*'],
  ...['**/go.mod', '**/go.sum', '**/go.work*', '**/.golangci.*'],
  ...['**/Gemfile*', '**/Rakefile', '**/pom.xml', '**/*.gradle*', '**/gradle.properties'],
  ...['**/{GNU,}{M,m}akefile', '**/*.mk', '**/CMakeLists.txt', '**/{J,j}ustfile'],
  ...['**/Dockerfile*', '**/docker-compose*', '**/compose.{yml,yaml}'],
  ...['.github/**', '.gitlab-ci.yml', '.gitlab/**', '.circleci/**', '.travis.yml', '.ci/**'],
  ...['azure-pipelines.yml', 'Jenkinsfile', '.buildkite/**', '.drone.yml'],
  ...['.husky/**', '.githooks/**', '**/lefthook.y*ml', '**/.pre-commit-config.yaml'],
  ...['**/.lintstagedrc*', '**/.gitattributes', '**/.gitmodules', '**/.gitignore'],
];

/** Those of the usual globs that something fits. */
export function likelyTests(paths: readonly string[]): string[] {
  return TESTS.filter((glob) => paths.some((path) => fits(path, [glob])));
}

/** `textOf`: of a file at the root. */
export function likelyChecks(
  paths: readonly string[],
  textOf: (path: string) => string | undefined,
): Likely[] {
  const has = new Set(paths);
  const found: Likely[] = [];
  const add = (id: string, argv: readonly string[], why: string): void => {
    if (!found.some((one) => one.id === id))
      found.push({ id, argv, env: [], timeoutS: TIMEOUT_S, why });
  };
  const { scripts, packages } = readPackage(textOf('package.json'));
  const manager = MANAGERS.find(([lock]) => has.has(lock))?.[1] ?? 'npm';
  for (const script of [...SCRIPTS, ...[...scripts.keys()].filter((one) => /^test[:-]/.test(one))])
    if (scripts.has(script) && !NO_TESTS.test(scripts.get(script) ?? ''))
      add(idOf(script), [manager, 'run', script], `package.json has the script ${script}`);
  if (!found.some(({ id }) => id === 'test')) {
    if (packages.has('vitest'))
      add('test', ['npx', '--no-install', 'vitest', 'run'], 'package.json names vitest');
    else if (paths.some((path) => NODE_TESTS.some((glob) => fits(path, [glob]))))
      add('test', ['node', '--test'], 'there are tests that node finds');
  }
  if (has.has('Cargo.toml')) add('cargo-test', ['cargo', 'test'], 'there is a Cargo.toml');
  if (has.has('go.mod')) add('go-test', ['go', 'test', './...'], 'there is a go.mod');
  if (hasPytest(paths, textOf))
    add('pytest', ['python3', '-m', 'pytest', '-q'], 'there are tests that pytest finds');
  const makefile = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => has.has(name));
  const targets = makefile === undefined ? new Set() : targetsIn(textOf(makefile) ?? '');
  for (const target of TARGETS)
    if (targets.has(target))
      add(`make-${target}`, ['make', target], `${makefile} has the target ${target}`);
  return found;
}

/** As plans name checks: a small word. */
function idOf(script: string): string {
  return script
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 24);
}

function readPackage(text: string | undefined): {
  readonly scripts: ReadonlyMap<string, string>;
  readonly packages: ReadonlySet<string>;
} {
  let read: unknown;
  try {
    read = JSON.parse(text ?? '{}');
  } catch {
    // Somebody is at work on it; it suggests nothing.
    read = {};
  }
  const parts = new Map(entriesOf(read));
  const scripts = entriesOf(parts.get('scripts')).filter(
    (one): one is [string, string] => typeof one[1] === 'string',
  );
  const packages = ['dependencies', 'devDependencies'].flatMap((name) =>
    entriesOf(parts.get(name)),
  );
  return { scripts: new Map(scripts), packages: new Set(packages.map(([name]) => name)) };
}

function entriesOf(read: unknown): [string, unknown][] {
  return read !== null && typeof read === 'object' && !Array.isArray(read)
    ? Object.entries(read)
    : [];
}

function hasPytest(
  paths: readonly string[],
  textOf: (path: string) => string | undefined,
): boolean {
  return (
    /^\[tool\.pytest/m.test(textOf('pyproject.toml') ?? '') ||
    /^\[tool:pytest\]/m.test(textOf('setup.cfg') ?? '') ||
    paths.some((path) =>
      /(?:^|\/)(?:pytest\.ini|conftest\.py|test_[^/]*\.py|[^/]*_test\.py)$/.test(path),
    )
  );
}

/** Names before a colon at the beginning of a line; assignments are none. */
function targetsIn(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^([A-Za-z0-9_. -]+?)\s*::?(?!=)/gm)].flatMap(([, names = '']) =>
      names.split(/\s+/),
    ),
  );
}
