/** What is installed with the program, what is shipped, and that it runs where it was unpacked. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
}

interface Component {
  readonly purl: string;
  readonly properties?: readonly { readonly name: string }[];
}
const DEVELOPMENT = 'cdx:npm:package:development';

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as T;
}

const own = readJson<Record<string, Record<string, string>>>('package.json');
const lock = readJson<{ packages: Record<string, Locked> }>('package-lock.json').packages;

describe('The package', () => {
  it('pins each dependency to one version', () => {
    const versions = Object.values({ ...own.dependencies, ...own.devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it('installs only packages of the npm registry, each with a recorded hash', () => {
    const installed = Object.entries(lock).filter(([path]) => path !== '');
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.filter(([, entry]) => !/^sha512-/.test(entry.integrity ?? ''))).toEqual([]);
    const elsewhere = installed.filter(
      ([, { link, resolved }]) =>
        link === true ||
        !(resolved ?? 'https://registry.npmjs.org/').startsWith('https://registry.npmjs.org/'),
    );
    expect(elsewhere).toEqual([]);
  });

  it('runs no script when it is installed', () => {
    const hooks = /^(pre|post)?(install|prepare|prepublish)$/;
    expect(Object.keys(own.scripts ?? {}).filter((name) => hooks.test(name))).toEqual([]);
  });

  it('has a bill of materials (SBOM), made by npm without a network, that lists every direct dependency as shipped, and Vitest not', () => {
    // Do not pass `--omit dev`: npm would also leave out `yaml`, which both the program and its development
    // tools depend on.
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
    const bill = JSON.parse(
      execFileSync('npm', [...args, '--offline'], {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as { components: Component[] };
    const shipped = bill.components
      .filter(({ properties = [] }) => !properties.some(({ name }) => name === DEVELOPMENT))
      .map(({ purl }) => decodeURIComponent(purl));
    for (const [name, version] of Object.entries(own.dependencies ?? {}))
      expect(shipped).toContain(`pkg:npm/${name}@${version}`);
    expect(shipped.some((file) => file.includes('/vitest@'))).toBe(false);
  });

  it('runs commands and a person’s own protocols where only its tarball is installed, without its sources', () => {
    const folder = mkdtempSync(join(tmpdir(), 'deliberate-package-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [tarball = ''] = readdirSync(folder);
    // Put the package where an installer would put it: into a folder `node_modules`, beside its dependencies
    // and away from its sources.
    const modules = join(folder, 'node_modules');
    const there = join(modules, 'deliberate');
    mkdirSync(there, { recursive: true });
    for (const name of readdirSync(join(ROOT, 'node_modules')))
      if (name !== 'deliberate') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    execFileSync('tar', ['-xzf', join(folder, tarball), '-C', there, '--strip-components=1']);
    expect(readdirSync(there)).not.toContain('test');
    const runProgram = (...args: string[]): string =>
      execFileSync(process.execPath, [join(there, 'bin', 'deliberate.js'), ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '', HOME: folder },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    expect(runProgram('--version').trim()).toBe(own.version);
    const said = runProgram(
      'board',
      '--rehearse',
      '--rehearse-speed',
      '1000',
      '--plain',
      'Ship it?',
    );
    expect(said).toContain('REHEARSAL');
    expect(said).toContain('## Recommendation');

    // Run a person's own protocol in a folder that has the package and in one that does not. Types are
    // checked only in the folder that has the package.
    const page = readFileSync(join(there, 'docs', 'protocols.md'), 'utf8');
    const example = /```ts\n(.*?)```/s.exec(page)?.[1] ?? '';
    const bare = mkdtempSync(join(tmpdir(), 'deliberate-protocol-'));
    onTestFinished(() => rmSync(bare, { recursive: true, force: true }));
    for (const place of [folder, bare]) {
      writeFileSync(join(place, 'red-team.ts'), example);
      const held = runProgram(
        'run',
        join(place, 'red-team.ts'),
        '--rehearse',
        '--rehearse-speed',
        '1000',
        '--plain',
        'Ship it?',
      );
      expect(held).toContain('# Conclusion');
    }
    runProgram('protocol', 'new', 'fire-drill.ts');
    expect(
      runProgram(
        'run',
        'fire-drill.ts',
        '--rehearse',
        '--rehearse-speed',
        '1000',
        '--plain',
        'Ship it?',
      ),
    ).toContain('# Conclusion');
    writeFileSync(
      join(folder, 'wrong.ts'),
      example.replace("'defender', `Propose", "'nobody', `Propose"),
    );
    const files = ['red-team.ts', 'fire-drill.ts', 'wrong.ts'];
    const options = { module: 'nodenext', strict: true, noEmit: true, target: 'es2024', types: [] };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files }),
    );
    expect(refusedIn(folder)).toEqual(['wrong.ts']);
  });
});

/** Returns the files of a folder in which the compiler reports errors. */
function refusedIn(folder: string): string[] {
  const { stdout } = spawnSync(
    join(ROOT, 'node_modules', '.bin', 'tsc'),
    ['--pretty', 'false', '--singleThreaded', '-p', folder],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, GOGC: 'off' } },
  );
  const files = [...stdout.matchAll(/^(\S.*?)\(\d+,\d+\): error/gm)].map(([, file = '']) => file);
  return [...new Set(files)];
}
