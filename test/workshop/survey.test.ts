/** The survey of a person's checkout, and the pure rules by which it guesses. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../src/text/globs.ts';
import { globsOf, loadToolchains } from '../../src/workshop/toolchains/load.ts';
import { at, person, shop, signal, workshopOf } from './place.ts';

const TOOLCHAINS = loadToolchains({ HOME: '/nonexistent' });
const GUARDED = globsOf(TOOLCHAINS, 'guarded');

describe('the survey of a repository', () => {
  it('lists the ignored, untracked and uncommitted files, which the team does not see', async () => {
    const one = shop();
    one.write(
      'package.json',
      JSON.stringify({ scripts: { test: 'node --test', lint: 'biome ci' } }),
    );
    one.write('.gitignore', 'node_modules/\nbuild/\n*.log\n.env\nlocal.json\n');
    one.write('.gitattributes', '*.psd filter=lfs diff=lfs merge=lfs -text\n');
    one.write('logo.psd', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n');
    one.git('add', '.');
    one.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${one.git('rev-parse', 'HEAD').trim()},lib`,
    );
    one.git('commit', '--quiet', '-m', 'More');
    one.write('node_modules/a/index.js', 'x'.repeat(1_000));
    one.write('build/out.js', 'built');
    one.write('debug.log', 'log');
    one.write('.env', 'KEY=1\n');
    one.write('local.json', '{}');
    // This cache ignores itself, and git lists its files one by one.
    one.write('.pytest_cache/.gitignore', '*\n');
    one.write('.pytest_cache/v/lastfailed', '{}');
    one.write('src/sum.ts', 'changed\n');
    one.write('fixtures/one.json', '{}');
    one.write('staged.txt', 's\n');
    one.git('add', 'staged.txt');
    one.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n', 0o755);
    one.write('.git/hooks/post-checkout.sample', '#!/bin/sh\n', 0o755);
    mkdirSync(join(one.folder, 'lib'), { recursive: true });
    const before = one.fingerprint();
    const found = await workshopOf(one).survey(signal);
    expect(one.fingerprint()).toBe(before);
    expect(found).toMatchObject({
      base: one.git('rev-parse', 'HEAD').trim(),
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
    const one = shop({ config: '[core]\n\thooksPath = .githooks\n' });
    one.write('.githooks/post-checkout', '#!/bin/sh\ntouch ran\n', 0o755);
    one.git('add', '.');
    one.git('commit', '--quiet', '-m', 'Hook');
    one.git('worktree', 'add', '--quiet', '--detach', '../other', 'HEAD');
    const other = at(one.root, join(one.root, 'other'), one.env);
    const before = [one.fingerprint(), other.fingerprint()];
    const found = await workshopOf(other).survey(signal);
    expect([one.fingerprint(), other.fingerprint()]).toEqual(before);
    expect(found.branch).toBeUndefined();
    expect(found.hooks).toEqual(['.githooks/post-checkout']);
    expect(found.uncommitted).toEqual([]);
  });

  it('runs no filter or hook that git settings name', async () => {
    const one = shop();
    const trap = join(one.root, 'trap');
    writeFileSync(trap, `#!/bin/sh\ntouch '${one.root}/ran'\ncat\n`);
    chmodSync(trap, 0o755);
    one.write('.gitattributes', '*.ts filter=trap\n');
    one.git('add', '.');
    one.git('commit', '--quiet', '-m', 'Attributes');
    one.git('config', 'filter.trap.clean', trap);
    one.git('config', 'filter.trap.smudge', trap);
    one.git('config', 'filter.trap.required', 'true');
    one.git('config', 'core.fsmonitor', trap);
    one.git('config', 'core.hooksPath', one.root);
    writeFileSync(join(one.root, 'post-index-change'), `#!/bin/sh\ntouch '${one.root}/ran'\n`, {
      mode: 0o755,
    });
    one.write('src/sum.ts', 'changed\n');
    const found = await workshopOf(one).survey(signal);
    expect(found.uncommitted).toEqual(['src/sum.ts']);
    expect(() => execFileSync('ls', [join(one.root, 'ran')], { stdio: 'ignore' })).toThrow();
  });

  it("treats CRLF line ends as the person's git settings say", async () => {
    const one = shop({ config: '[core]\n\tautocrlf = true\n' });
    rmSync(join(one.folder, 'README.md'));
    one.git('checkout', '--quiet', '--', 'README.md');
    expect(one.read('README.md')).toBe('# Shop\r\n');
    // Change the time of the file, so that git has to compare its content.
    utimesSync(join(one.folder, 'README.md'), 1, 1);
    expect((await workshopOf(one).survey(signal)).uncommitted).toEqual([]);
  });

  it('fails with advice if there is no commit or no repository', async () => {
    const one = person();
    await expect(workshopOf(one).survey(signal)).rejects.toMatchObject({
      code: 'no-commits',
      next: 'Commit what the work starts from: git commit',
    });
    const env = { ...one.env, PATH: '/nonexistent' };
    await expect(workshopOf(one, { env }).survey(signal)).rejects.toMatchObject({
      code: 'no-git',
      next: 'Install git 2.38 or newer, then try again.',
    });
    await expect(
      workshopOf(one, { repository: join(one.root, 'nowhere') }).survey(signal),
    ).rejects.toMatchObject({ code: 'no-repository' });
    await expect(workshopOf(one, { repository: one.root }).survey(signal)).rejects.toMatchObject({
      code: 'no-repository',
      message: expect.stringContaining('not a git repository'),
    });
    execFileSync('git', ['init', '--quiet', '--bare', 'bare.git'], { cwd: one.root, env: one.env });
    await expect(
      workshopOf(one, { repository: join(one.root, 'bare.git') }).survey(signal),
    ).rejects.toMatchObject({ code: 'no-work-tree' });
    const old = join(one.root, 'old');
    mkdirSync(old);
    writeFileSync(join(old, 'git'), '#!/bin/sh\necho git version 2.34.1\n', { mode: 0o755 });
    await expect(
      workshopOf(shop(), { env: { ...one.env, PATH: old } }).survey(signal),
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
