/**
 * Tests which checks are suggested, by the files of a repository and by the toolchains that a person has
 * added.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCounts, readersOf } from '../../src/workshop/running/counts/counts.ts';
import { globsOf, loadToolchains, mergeToolchains } from '../../src/workshop/toolchains/load.ts';
import { toolchainsSchema } from '../../src/workshop/toolchains/schema.ts';
import { suggestChecks } from '../../src/workshop/toolchains/suggest.ts';
import { makePersonRepository, signal, workshopOf } from './place.ts';

const BUILT_IN = loadToolchains({ HOME: '/nonexistent' });

type Files = Readonly<Record<string, string>>;

const suggestFor = (files: Files, toolchains = BUILT_IN) =>
  suggestChecks(
    Object.keys(files).sort(),
    (path) => Promise.resolve(new Map(Object.entries(files)).get(path)),
    toolchains,
  );

/** Returns the suggested checks as lines of the form `id: api/ command and its words`. */
async function listSuggestions(files: Files): Promise<string[]> {
  const found = await suggestFor(files);
  return found.map(({ id, argv, env: [folder] }) =>
    [`${id}:`, ...(folder === undefined ? [] : [`${folder.value}/`]), ...argv].join(' '),
  );
}

const WORKFLOW = `
on: push
jobs:
  build:
    defaults: { run: { working-directory: web } }
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: npx eslint src
      - run: |
          npm install -g x
          ./scripts/verify --all
          echo "$GITHUB_SHA" | test -n
      - { run: make check, working-directory: ./ }
      - { run: pytest, working-directory: ../elsewhere }
`;

describe('suggested checks', () => {
  it.each<[string, Files, string[]]>([
    [
      'scripts of package.json, run by the package manager whose lock file exists',
      {
        'package.json': '{"scripts":{"test":"vitest","test:e2e":"x","build":"y"}}',
        'pnpm-lock.yaml': '',
      },
      ['test: pnpm run test', 'test-e2e: pnpm run test:e2e'],
    ],
    [
      'no script that only says that there are no tests',
      {
        'package.json':
          '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"},"devDependencies":{"vitest":"1"}}',
      },
      ['test: npx --no-install vitest run'],
    ],
    ['node', { 'package.json': '{"scripts":', 'a.test.js': '' }, ['test: node --test']],
    ['node without a package', { 'src/a.test.mjs': '' }, ['src-test: src/ node --test']],
    ['nothing of a broken file', { 'package.json': '[1]' }, []],
    [
      'Rust and Go',
      { 'Cargo.toml': '', 'go.mod': '' },
      [
        'cargo-test: cargo test',
        'clippy: cargo clippy --all-targets -- -D warnings',
        'go-test: go test -v ./...',
        'go-vet: go vet ./...',
      ],
    ],
    ['pytest', { 'tests/test_a.py': '' }, ['pytest: python3 -m pytest -q']],
    [
      'pytest, in the folder that contains the tests',
      { 'api/tests/test_a.py': '', 'web/index.html': '' },
      ['api-pytest: api/ python3 -m pytest -q'],
    ],
    [
      'pytest, ruff and mypy by their settings',
      { 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\n' },
      ['pytest: python3 -m pytest -q', 'ruff: ruff check .', 'mypy: mypy .'],
    ],
    [
      'unittest',
      { 'setup.py': '', 'tests/test_a.py': 'import unittest\n' },
      ['unittest: python3 -m unittest discover'],
    ],
    [
      'tox and nox',
      { 'tox.ini': '', 'noxfile.py': '' },
      ['tox: tox -q --skip-pkg-install', 'nox: nox --reuse-existing-virtualenvs --no-install'],
    ],
    [
      'targets of a Makefile',
      { Makefile: 'CHECK := x\ncheck: build\n\tx\ntest lint:\n\ty\n' },
      ['make-test: make test', 'make-check: make check', 'make-lint: make lint'],
    ],
    [
      'recipes of a justfile',
      { justfile: "x := 'y'\ntest *args:\n  cargo test\nbuild:\n  x\ntest-all: test\n" },
      ['just-test: just test', 'just-test-all: just test-all'],
    ],
    [
      'Maven once for all modules, by its wrapper',
      { 'pom.xml': '', mvnw: '', 'core/pom.xml': '' },
      ['maven-test: ./mvnw -B -o test'],
    ],
    [
      'Gradle',
      { 'build.gradle.kts': '', 'app/build.gradle.kts': '' },
      ['gradle-test: gradle --offline test'],
    ],
    ['sbt', { 'build.sbt': '' }, ['sbt-test: sbt -batch test']],
    [
      'RSpec, and rake by its tasks, through bundler',
      {
        Gemfile: '',
        Rakefile: 'task :lint do\nend\nRake::TestTask.new(:test)\n',
        'spec/a_spec.rb': '',
      },
      [
        'rake-test: bundle exec rake test',
        'rake-lint: bundle exec rake lint',
        'rspec: bundle exec rspec',
      ],
    ],
    [
      'minitest',
      { 'shop.gemspec': '', 'test/a_test.rb': '' },
      [
        'minitest: ruby -Itest -Ilib -e Dir["test/**/*_test.rb"].sort.each { |f| require "./#{f}" }',
      ],
    ],
    [
      "composer's scripts",
      {
        'composer.json': '{"scripts":{"test":["@php vendor/bin/phpunit"],"post-install":"x"}}',
        'phpunit.xml': '',
      },
      ['composer-test: composer run-script --no-interaction test'],
    ],
    ['PHPUnit', { 'composer.json': '{}', 'phpunit.xml.dist': '' }, ['phpunit: vendor/bin/phpunit']],
    ['.NET', { 'Shop.sln': '', 'Shop/Shop.csproj': '' }, ['dotnet-test: dotnet test --nologo']],
    [
      'Elixir',
      { 'mix.exs': '', '.formatter.exs': '' },
      ['mix-test: mix test', 'mix-format: mix format --check-formatted'],
    ],
    [
      'Deno, with comments in its file',
      { 'deno.jsonc': '{\n  // all\n  "tasks": { "check": "deno check .", },\n}' },
      ['deno-check: deno task check', 'deno-test: deno test', 'deno-lint: deno lint'],
    ],
    [
      'CTest',
      { 'CMakeLists.txt': 'enable_testing()\n' },
      [
        'ctest: ctest --build-and-test . build-check --build-generator Unix Makefiles --test-command ctest --output-on-failure',
      ],
    ],
    [
      'Meson',
      { 'meson.build': "test('a', exe)\n" },
      ['meson-test: sh -c meson setup build-check && meson test -C build-check'],
    ],
    ['Swift', { 'Package.swift': '' }, ['swift-test: swift test']],
    ['Zig', { 'build.zig': 'b.step("test", "x")' }, ['zig-test: zig build test --summary all']],
    [
      'several projects, each in its folder',
      {
        'api/pyproject.toml': '[tool.pytest]\n',
        'api/tests/test_a.py': '',
        'web/package.json': '{"scripts":{"test":"vitest run"}}',
        'web/node_modules/x/package.json': '{"scripts":{"test":"x"}}',
        'tools/go.mod': '',
      },
      [
        'web-test: web/ npm run test',
        'api-pytest: api/ python3 -m pytest -q',
        'tools-go-test: tools/ go test -v ./...',
        'tools-go-vet: tools/ go vet ./...',
      ],
    ],
    [
      'plain commands for continuous integration',
      { '.github/workflows/ci.yml': WORKFLOW, Makefile: 'check:\n\tx\n' },
      [
        'make-check: make check',
        'web-ci-npx-eslint-src: web/ npx eslint src',
        'web-ci-scripts-verify-al: web/ ./scripts/verify --all',
      ],
    ],
    [
      'no command of continuous integration whose default folder only the service knows',
      {
        '.github/workflows/ci.yml': [
          'jobs:',
          '  build:',
          `    defaults: { run: { working-directory: "\${{ matrix.app }}" } }`,
          '    steps:',
          '      - run: npx eslint src',
          '      - { run: make check, working-directory: ./ }',
        ].join('\n'),
      },
      ['ci-make-check: make check'],
    ],
    ['nothing', { 'README.md': '' }, []],
  ])('are made from the files of a repository: %s', async (_what, files, wanted) => {
    expect(await listSuggestions(files)).toEqual(wanted);
  });

  it('say which file suggests them', async () => {
    const found = await suggestFor({
      '.github/workflows/ci.yml': WORKFLOW,
      Makefile: 'check:\n\tx\n',
    });
    expect(found.map(({ why }) => why)).toEqual([
      'Makefile has the target check',
      '.github/workflows/ci.yml runs it: a command for continuous integration, in web',
      '.github/workflows/ci.yml runs it: a command for continuous integration, in web',
    ]);
  });

  it.each([
    ['tape test/*.js | tap-spec', 'tap-spec'],
    ['c8 node --test test/', 'node'],
    ['npm run unit && echo done', 'jest'],
    ['./run-all', undefined],
  ])('recognise the test runner of the script %s', async (script, runner) => {
    const scripts = { test: script, unit: 'jest --ci' };
    const [found] = await suggestFor({ 'package.json': JSON.stringify({ scripts }) });
    expect(found?.runner).toBe(runner);
  });
});

const OWN = `
toolchains:
  - name: bazel
    marks: [MODULE.bazel]
    checks: [{ id: bazel-test, run: [bazel, test, //...], runner: bazel }]
    guarded: ['**/BUILD.bazel']
  - name: make
    marks: [Makefile]
runners:
  - name: bazel
    named: bazel test
    summary: ['^Executed (?<total>\\d+) out of \\d+ tests?: (?<passed>\\d+) tests? pass(?:es)?\\.$']
`;

describe("a person's own toolchains", () => {
  it('are added to the built-in toolchains, and replace a built-in one with the same name', async () => {
    const developer = makePersonRepository();
    const folder = join(developer.env.HOME ?? '', '.config/deliberate');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'toolchains.yaml'), OWN);
    const env = { ...developer.env, XDG_CONFIG_HOME: join(developer.env.HOME ?? '', '.config') };
    const toolchains = loadToolchains(env);
    const files = { 'MODULE.bazel': '', Makefile: 'test:\n\tx\n', 'go.mod': '' };
    expect((await suggestFor(files, toolchains)).map(({ id }) => id)).toEqual([
      ...['bazel-test', 'go-test', 'go-vet'],
    ]);
    expect(globsOf(toolchains, 'guarded')).toContain('**/BUILD.bazel');
    expect(
      readCounts('Executed 3 out of 3 tests: 3 tests pass.\n', readersOf(toolchains.runners)),
    ).toMatchObject({ passed: 3, failed: 0 });
  });

  it('lead to an error that names file and line if a pattern is invalid', () => {
    const developer = makePersonRepository();
    const folder = join(developer.env.HOME ?? '', '.config/deliberate');
    mkdirSync(folder, { recursive: true });
    const text = "runners:\n  - name: a\n    named: '('\n";
    writeFileSync(join(folder, 'toolchains.yaml'), text);
    const env = { ...developer.env, XDG_CONFIG_HOME: join(developer.env.HOME ?? '', '.config') };
    expect(() => loadToolchains(env)).toThrow(
      /toolchains\.yaml:3: .*expected a regular expression/,
    );
  });

  it('come before the built-in toolchains', () => {
    const own = toolchainsSchema.parse({ toolchains: [{ name: 'mine', marks: ['mine.toml'] }] });
    expect(mergeToolchains(own, BUILT_IN).toolchains[0]?.name).toBe('mine');
  });
});

describe('the checks in the survey of a repository', () => {
  it('name a program that is missing on this machine', async () => {
    const developer = makePersonRepository();
    developer.write('pom.xml', '<project/>');
    developer.write('web/package.json', '{"scripts":{"test":"jest"}}');
    developer.write('phpunit.xml', '<phpunit/>');
    developer.write('tests/test_a.py', 'x');
    developer.git('add', '.');
    developer.git('commit', '--quiet', '-m', 'Begin');
    const bin = join(developer.root, 'bin');
    mkdirSync(bin);
    // PATH leads only to these programs: npm, a Python without pytest, and git, which the survey itself
    // needs.
    for (const [name, text] of [
      ['npm', '#!/bin/sh\n'],
      ['python3', '#!/bin/sh\ncase "$*" in *pytest*) exit 1;; esac\n'],
      [
        'git',
        `#!/bin/sh\nexec '${execFileSync('which', ['git'], { encoding: 'utf8' }).trim()}' "$@"\n`,
      ],
    ] as const) {
      writeFileSync(join(bin, name), text);
      chmodSync(join(bin, name), 0o755);
    }
    const found = await workshopOf(developer, { env: { ...developer.env, PATH: bin } }).survey(
      signal,
    );
    expect(found.checks.map(({ id, missing, runner }) => [id, missing, runner])).toEqual([
      ['web-test', undefined, 'jest'],
      ['pytest', 'pytest', 'pytest'],
      ['maven-test', 'mvn', 'maven'],
      ['phpunit', 'vendor/bin/phpunit', 'phpunit'],
    ]);
  });
});
