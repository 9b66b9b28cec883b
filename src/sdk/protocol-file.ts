/**
 * Loads a protocol from a person's file anywhere: `deliberate/protocol` resolves to this program's module, Node
 * strips the types of TypeScript, and every file loaded with it is hashed as it is read.
 */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorCode, explainCode } from '../io/text-file.ts';
import { sha256 } from '../kernel/digest.ts';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import type { Source } from '../kernel/facts.ts';
import { realPathOf } from '../platform/real-path.ts';
import { findPlace, type ProtocolFiles, pathOf } from './place.ts';

interface LoadedFile {
  /** The default export; undefined if there is none. */
  readonly value: unknown;
  readonly source: Source;
  /** The files loaded with it so far, by real path. */
  readonly places: ProtocolFiles;
}

/**
 * Thrown for a person's own protocol file that cannot be used. The message names the file and, if
 * known, the line.
 */
export class BadProtocol extends DeliberateError {
  constructor(sentence: string, next?: string) {
    super('bad-protocol', sentence, next);
  }
}

const ENDINGS = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];
/**
 * The URL of the module `deliberate/protocol`. All protocol files share one copy of this module.
 */
const INTERFACE = new URL(`../sdk/protocol${extname(import.meta.url)}`, import.meta.url).href;
/** The largest source file, in bytes. */
const LARGEST = 64e6;
/** Milliseconds that a file's top level may take. */
const LOADING_MS = 10_000;

/** A named file with all files that were loaded with it. Modules are evaluated once in a process. */
class Family implements ProtocolFiles {
  readonly main: string;
  /** Hashes of the files, by real path. */
  readonly hashes = new Map<string, string>();

  constructor(main: string) {
    this.main = main;
  }

  has(file: string): boolean {
    return file === this.main || this.hashes.has(file);
  }

  source(named: string): Source {
    return sourceOf(named, this.main, this.hashes);
  }
}

const families = new Map<string, Family>();
let hooked = false;

/**
 * Loads a person's own protocol file.
 *
 * @throws UsageError if there is no such TypeScript or JavaScript file; BadProtocol if it cannot be loaded
 */
export async function loadProtocolFile(file: string): Promise<LoadedFile> {
  const named = resolve(file);
  const main = realFile(named, file);
  if (!ENDINGS.includes(extname(main)))
    throw new UsageError(
      `${file}: not a TypeScript or JavaScript file`,
      `Use a file ending in ${ENDINGS.join(', ')}.`,
    );
  if (main.split('/').includes('node_modules') && !/js$/.test(main))
    throw new BadProtocol(
      `${file}: Node does not run TypeScript inside node_modules`,
      'Copy the file outside node_modules.',
    );
  installHooks();
  const known = families.get(main);
  const family = known ?? new Family(main);
  if (known !== undefined) refuseChanged(known, file);
  families.set(main, family);
  try {
    const value = takeExport(await awaitLoading(import(pathToFileURL(main).href), file));
    return { value, source: family.source(named), places: family };
  } catch (error) {
    families.delete(main);
    throw explainError(error, family, file);
  }
}

/**
 * Computes the present hashes of the files that a protocol was loaded from. The hash is undefined
 * for a file that cannot be read.
 *
 * @param named the path of the protocol's file
 * @param names the paths of all files, relative to the folder of the protocol's file
 */
export function hashNow(named: string, names: readonly string[]): Map<string, string | undefined> {
  const folder = dirname(realPathOf(named));
  return new Map(names.map((name) => [name, hashOf(join(folder, name))]));
}

function realFile(named: string, file: string): string {
  try {
    if (statSync(named).isDirectory()) throw new UsageError(`${file} is a folder`);
    return realPathOf(named);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${file}: ${explainCode(errorCode(error))}`,
      'Create one with: deliberate protocol new FILE',
    );
  }
}

/**
 * Refuses a file that has changed since this process evaluated it, because Node would not evaluate it again.
 */
function refuseChanged({ hashes }: Family, file: string): void {
  for (const [path, hash] of hashes)
    if (hashOf(path) !== hash)
      throw new BadProtocol(
        `${file} has changed since this program loaded it`,
        'Restart the program.',
      );
}

function sourceOf(named: string, main: string, hashes: ReadonlyMap<string, string>): Source {
  const all = [...hashes]
    .map(([path, sha256]) => ({ name: relative(dirname(main), path), sha256 }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const sum = createHash('sha256');
  for (const { name, sha256 } of all) sum.update(`${name}\n${sha256}\n`);
  return {
    file: named,
    sha256: sum.digest('hex'),
    files: all.filter(({ name }) => !name.split('/').includes('node_modules')),
  };
}

/**
 * Hashes a file, or returns undefined if it is not a regular file of ordinary size. The name may come from an
 * imported run.
 */
function hashOf(file: string): string | undefined {
  try {
    const stat = statSync(file);
    if (!stat.isFile() || stat.size > LARGEST) return undefined;
    return sha256(readFileSync(file));
  } catch {
    return undefined;
  }
}

/**
 * Installs the module hooks, once in a process. They stay, because a protocol may import more while it runs.
 */
function installHooks(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      const family = familyOf(context.parentURL);
      if (specifier === 'deliberate/protocol' && family !== undefined)
        return { url: INTERFACE, shortCircuit: true };
      const found = next(specifier, context);
      if (family !== undefined && found.url !== INTERFACE) adoptFile(family, found.url);
      return found;
    },
    load: (url, context, next) => {
      const path = pathOf(url) ?? '';
      const family = families.get(path) ?? memberOf(path);
      if (family === undefined) return next(url, context);
      const bytes = readFileSync(path);
      family.hashes.set(path, sha256(bytes));
      // Load a file that has import or export statements and no `module.exports` as an ES module, even if a
      // `package.json` in a folder above it tells Node that the file is CommonJS.
      const text = bytes.toString('utf8');
      const isModule = /^(import|export)\b/m.test(text) && !/\bmodule\.exports\b/.test(text);
      const ending = extname(path);
      const format =
        isModule && ending === '.ts'
          ? 'module-typescript'
          : isModule && ending === '.js'
            ? 'module'
            : undefined;
      return next(url, format === undefined ? context : { ...context, format });
    },
  });
}

/** Files that a member of a family imports and that are not loaded yet. */
const awaited = new Map<string, Family>();

function adoptFile(family: Family, url: string): void {
  const path = pathOf(url);
  if (path !== undefined && !family.hashes.has(path)) awaited.set(path, family);
}

function memberOf(path: string): Family | undefined {
  return awaited.get(path) ?? [...families.values()].find(({ hashes }) => hashes.has(path));
}

function familyOf(parent: string | undefined): Family | undefined {
  const path = pathOf(parent ?? '');
  return path === undefined ? undefined : (families.get(path) ?? memberOf(path));
}

async function awaitLoading<T>(loading: Promise<T>, file: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new BadProtocol(
            `${file}: its top-level code did not finish within ${LOADING_MS / 1000} s`,
            'Move slow work into run, in steps.',
          ),
        ),
      LOADING_MS,
    );
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the default export. In CommonJS compiled from a module, it is below `default` twice. */
function takeExport(module: unknown): unknown {
  const value = (module as { default?: unknown }).default;
  return typeof value === 'object' && value !== null && 'default' in value ? value.default : value;
}

/** Turns Node's error into a sentence with the file and the line. */
function explainError(error: unknown, family: Family, file: string): Error {
  if (error instanceof DeliberateError) return error;
  if (!(error instanceof Error)) return new BadProtocol(`${file}: it threw ${String(error)}`);
  const at =
    placeOf(error, family) ?? (error.name === 'SyntaxError' ? findSyntaxError(family) : undefined);
  const name = at ?? basename(file);
  const code = errorCode(error);
  const [message = ''] = error.message.split('\n');
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return new BadProtocol(
      `${name}: ${message}`,
      'Node only strips types: use constants and objects instead of enum and namespace.',
    );
  const missing = /does not provide an export named '([^']+)'/.exec(message)?.[1];
  if (missing !== undefined)
    return new BadProtocol(
      `${name}: ${missing} is not exported`,
      `If it is a type, import it as one: import { type ${missing} } …`,
    );
  if (code === 'ERR_MODULE_NOT_FOUND') return notFound(message, family, file);
  if (error.name === 'WrongDefinition') return new BadProtocol(`${name}: ${message}`);
  return new BadProtocol(`${name}: ${error.name}: ${message}`);
}

/**
 * Explains a failed import: of a file (`Cannot find module '/a/helper' imported from /a/mine.ts`) or of a
 * package.
 */
function notFound(message: string, family: Family, file: string): BadProtocol {
  const [, what = '', wanted = '', from = ''] =
    /Cannot find (module|package) '([^']+)' imported from (.+)$/.exec(message) ?? [];
  const importer = pathOf(from) ?? '';
  const text = hashOf(importer) === undefined ? '' : readFileSync(importer, 'utf8');
  const needle = what === 'package' ? wanted : basename(wanted);
  const line = text.split('\n').findIndex((row) => row.includes(needle) && /['"]/.test(row)) + 1;
  const name = importer === '' ? basename(file) : relative(dirname(family.main), importer);
  const at = line === 0 ? name : `${name}:${line}`;
  if (what === 'package')
    return new BadProtocol(
      `${at}: the package ${wanted} is not installed`,
      `Install it there: npm install ${wanted}`,
    );
  const ending = ENDINGS.find((ending) => hashOf(wanted + ending) !== undefined);
  return ending === undefined
    ? new BadProtocol(`${at}: ${needle} not found`)
    : new BadProtocol(
        `${at}: import of ${needle} without its extension`,
        `Write ${needle}${ending}.`,
      );
}

/** Returns `mine.ts:3`: from the first row of a syntax error's stack, or from the frames below. */
function placeOf({ stack = '' }: Error, family: Family): string | undefined {
  const [first = ''] = stack.split('\n');
  return findPlace(/^(file:\/\/)?\/.*:\d+$/.test(first) ? `at ${first}:1` : stack, family);
}

/**
 * Returns the syntax error of a JavaScript file with its line, from `node --check`; the loader's error has no
 * line.
 */
function findSyntaxError({ main, hashes }: Family): string | undefined {
  for (const path of [main, ...hashes.keys()]) {
    const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8' });
    const line = /^(?:file:\/\/)?\/.*?:(\d+)$/m.exec(stderr)?.[1];
    if (line !== undefined) return `${relative(dirname(main), path)}:${line}`;
  }
  return undefined;
}
