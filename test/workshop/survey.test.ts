/** Tests the survey of a person's checkout, and the rules by which it guesses checks and guarded files. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../src/text/globs.ts';
import { globsOf, loadToolchains } from '../../src/workshop/toolchains/load.ts';
import {
  makePersonRepository,
  makeShop,
  openPersonRepository,
  signal,
  workshopOf,
} from './place.ts';

const TOOLCHAINS = loadToolchains({ HOME: '/nonexistent' });
const GUARDED = globsOf(TOOLCHAINS, 'guarded');

describe('the survey of a repository', () => {
  it('lists the ignored, untracked and uncommitted files, which the team does not see', async () => {
    const developer = makeShop();
    developer.write(
      'package.json',
      JSON.stringify({ scripts: { test: 'node --test', lint: 'biome ci' } }),
    );
    developer.write('.gitignore', 'node_modules/\nbuild/\n*.log\n.env\nlocal.json\n');
    developer.write('.gitattributes', '*.psd filter=lfs diff=lfs merge=lfs -text\n');
    developer.write(
      'logo.psd',
      'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
    );
    developer.git('add', '.');
    developer.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${developer.git('rev-parse', 'HEAD').trim()},lib`,
    );
    developer.git('commit', '--quiet', '-m', 'More');
    developer.write('node_modules/a/index.js', 'x'.repeat(1_000));
    developer.write('build/out.js', 'built');
    developer.write('debug.log', 'log');
    developer.write('.env', 'KEY=1\n');
    developer.write('local.json', '{}');
    // Git lists the ignored files of this cache one by one, because the cache has a `.gitignore` of its own.
    developer.write('.pytest_cache/.gitignore', '*\n');
    developer.write('.pytest_cache/v/lastfailed', '{}');
    developer.write('src/sum.ts', 'changed\n');
    developer.write('fixtures/one.json', '{}');
    developer.write('staged.txt', 's\n');
    developer.git('add', 'staged.txt');
    developer.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n', 0o755);
    developer.write('.git/hooks/post-checkout.sample', '#!/bin/sh\n', 0o755);
    mkdirSync(join(developer.folder, 'lib'), { recursive: true });
    const before = developer.fingerprint();
    const found = await workshopOf(developer).survey(signal);
    expect(developer.fingerprint()).toBe(before);
    expect(found).toMatchObject({
      base: developer.git('rev-parse', 'HEAD').trim(),
      branch: 'main',
      files: 14,
      tests: ['**/*.test.*', '**/test/**'],
      ignored: [
        { path: '.env', bytes: 6 },
        { path: 'local.json', bytes: 2 },
        { path: 'node_modules', bytes: 1_000 },
      ],
      uncommitted: ['src/sum.ts', 'staged.txt'],
      untracked: ['fixtures/'],
      hooks: ['pre-commit'],
      submodules: ['lib'],
      lfs: ['logo.psd'],
      sandbox: 'none',
    });
    expect(found.paths).toContain('with space/ünï cödé.txt');
    expect(found.checks.map(({ id, argv }) => [id, ...argv].join(' '))).toEqual([
      'test npm run test',
      'lint npm run lint',
    ]);
    expect(found.guarded).toEqual(GUARDED);
  });

  it('finds hooks in the configured folder, also in a linked worktree with a detached HEAD', async () => {
    const developer = makeShop({ config: '[core]\n\thooksPath = .githooks\n' });
    developer.write('.githooks/post-checkout', '#!/bin/sh\ntouch ran\n', 0o755);
    developer.git('add', '.');
    developer.git('commit', '--quiet', '-m', 'Hook');
    developer.git('worktree', 'add', '--quiet', '--detach', '../other', 'HEAD');
    const other = openPersonRepository(
      developer.root,
      join(developer.root, 'other'),
      developer.env,
    );
    const before = [developer.fingerprint(), other.fingerprint()];
    const found = await workshopOf(other).survey(signal);
    expect([developer.fingerprint(), other.fingerprint()]).toEqual(before);
    expect(found.branch).toBeUndefined();
    expect(found.hooks).toEqual(['.githooks/post-checkout']);
    expect(found.uncommitted).toEqual([]);
  });

  it('runs no filter or hook that git settings name', async () => {
    const developer = makeShop();
    const trap = join(developer.root, 'trap');
    writeFileSync(trap, `#!/bin/sh\ntouch '${developer.root}/ran'\ncat\n`);
    chmodSync(trap, 0o755);
    developer.write('.gitattributes', '*.ts filter=trap\n');
    developer.git('add', '.');
    developer.git('commit', '--quiet', '-m', 'Attributes');
    developer.git('config', 'filter.trap.clean', trap);
    developer.git('config', 'filter.trap.smudge', trap);
    developer.git('config', 'filter.trap.required', 'true');
    developer.git('config', 'core.fsmonitor', trap);
    developer.git('config', 'core.hooksPath', developer.root);
    writeFileSync(
      join(developer.root, 'post-index-change'),
      `#!/bin/sh\ntouch '${developer.root}/ran'\n`,
      {
        mode: 0o755,
      },
    );
    developer.write('src/sum.ts', 'changed\n');
    const found = await workshopOf(developer).survey(signal);
    expect(found.uncommitted).toEqual(['src/sum.ts']);
    expect(() => execFileSync('ls', [join(developer.root, 'ran')], { stdio: 'ignore' })).toThrow();
  });

  it("treats CRLF line ends as the person's git settings say", async () => {
    const developer = makeShop({ config: '[core]\n\tautocrlf = true\n' });
    rmSync(join(developer.folder, 'README.md'));
    developer.git('checkout', '--quiet', '--', 'README.md');
    expect(developer.read('README.md')).toBe('# Shop\r\n');
    // Change the time of the file, so that git has to compare its content.
    utimesSync(join(developer.folder, 'README.md'), 1, 1);
    expect((await workshopOf(developer).survey(signal)).uncommitted).toEqual([]);
  });

  it('fails with advice if there is no commit or no repository', async () => {
    const developer = makePersonRepository();
    await expect(workshopOf(developer).survey(signal)).rejects.toMatchObject({
      code: 'no-commits',
      next: 'Commit what the work starts from: git commit',
    });
    const env = { ...developer.env, PATH: '/nonexistent' };
    await expect(workshopOf(developer, { env }).survey(signal)).rejects.toMatchObject({
      code: 'no-git',
      next: 'Install git 2.38 or newer, then try again.',
    });
    await expect(
      workshopOf(developer, { repository: join(developer.root, 'nowhere') }).survey(signal),
    ).rejects.toMatchObject({ code: 'no-repository' });
    await expect(
      workshopOf(developer, { repository: developer.root }).survey(signal),
    ).rejects.toMatchObject({
      code: 'no-repository',
      message: expect.stringContaining('not a git repository'),
    });
    execFileSync('git', ['init', '--quiet', '--bare', 'bare.git'], {
      cwd: developer.root,
      env: developer.env,
    });
    await expect(
      workshopOf(developer, { repository: join(developer.root, 'bare.git') }).survey(signal),
    ).rejects.toMatchObject({ code: 'no-work-tree' });
    const old = join(developer.root, 'old');
    mkdirSync(old);
    writeFileSync(join(old, 'git'), '#!/bin/sh\necho git version 2.34.1\n', { mode: 0o755 });
    await expect(
      workshopOf(makeShop(), { env: { ...developer.env, PATH: old } }).survey(signal),
    ).rejects.toMatchObject({ code: 'old-git', message: expect.stringContaining('2.34.1') });
  });
});

describe('the patterns of guarded files (the files that decide what a check does)', () => {
  it('include package.json, configurations of test runners and CI workflows, but no source files', () => {
    for (const path of [
      'package.json',
      'web/package.json',
      'package-lock.json',
      'vitest.config.ts',
      '.github/workflows/ci.yml',
      '.husky/pre-commit',
      'Makefile',
      'justfile',
      'tsconfig.build.json',
      'src/.gitattributes',
      '.mocharc.yml',
      'composer.json',
      'api/deno.json',
      'apps/shop/mix.exs',
      'Shop.Tests/Shop.Tests.csproj',
      'phpunit.xml.dist',
      'build.gradle.kts',
      'gradle/libs.versions.toml',
      'project/build.properties',
      '.mvn/maven.config',
      'Package.swift',
      'build.zig',
      'meson.build',
      '.rspec',
      'clippy.toml',
    ])
      expect(matchesGlob(path, GUARDED)).toBe(true);
    for (const path of ['src/a.ts', 'test/a.test.ts', 'README.md'])
      expect(matchesGlob(path, GUARDED)).toBe(false);
  });
});
