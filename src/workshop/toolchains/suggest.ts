/**
 * Suggests commands that check a repository, by its files. A person approves what is run. A check of a
 * project in a folder runs there: its variable PWD names the folder.
 */
import type { Survey } from '../../kernel/tools/workshop.ts';
import { matchesGlob } from '../../text/globs.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { suggestFromCi, type TextOf } from './ci.ts';
import { type NamedScript, readNames } from './names.ts';
import { findProjects, type Project } from './projects.ts';
import type { Toolchain, ToolchainCheck, Toolchains } from './schema.ts';

/** A suggested check, with the programs that must be installed for it. */
export interface Suggestion extends Omit<Survey['checks'][number], 'missing'> {
  /** The required programs besides the first word of the command. */
  readonly needs: readonly string[];
  /** A command that ends with 0 if what the check needs is installed; absent: nothing is tried. */
  readonly works?: readonly string[] | undefined;
}

/** The default time limit in seconds, long enough for the tests of a large project. */
const TIMEOUT_S = 600;
/** The most suggestions; with more, a person must choose. */
const MOST = 40;
/** The most files that are searched for a word. */
const MOST_READ = 8;

/**
 * Returns the checks that a repository's projects suggest, then those that its files for continuous
 * integration run, at most 40 together. `paths` are the files of the base commit.
 */
export async function suggestChecks(
  paths: readonly string[],
  textOf: TextOf,
  toolchains: Toolchains,
): Promise<Suggestion[]> {
  const found = new Suggestions(toolchains);
  for (const toolchain of toolchains.toolchains)
    for (const project of findProjects(toolchain, paths))
      await suggestIn(found, toolchain, project, textOf);
  if (toolchains.ci !== undefined)
    for (const command of await suggestFromCi(paths, textOf, toolchains.ci))
      found.addOther(command);
  return found.all.slice(0, MOST);
}

async function suggestIn(
  found: Suggestions,
  toolchain: Toolchain,
  project: Project,
  textOf: TextOf,
): Promise<void> {
  const { folder, paths } = project;
  const readText: TextOf = (path) => textOf(folder === '' ? path : `${folder}/${path}`);
  const commandOf = (run: readonly string[], bundled: boolean): readonly string[] => {
    const [program = '', ...rest] = run;
    const instead = Object.entries(toolchain.instead).find(
      ([file, other]) =>
        paths.includes(file) || (!other.startsWith('./') && found.hasAbove(folder, file)),
    )?.[1];
    const argv = [instead ?? program, ...rest];
    return bundled && paths.includes('Gemfile') ? ['bundle', 'exec', ...argv] : argv;
  };
  found.note(folder, paths);
  for (const listed of toolchain.listed) {
    const file = listed.in.find((name) => paths.includes(name));
    if (file === undefined) continue;
    const named = readNames(listed, (await readText(file)) ?? '');
    for (const { name, text } of chosenNames(listed, named))
      found.add(folder, {
        id: idOf(listed.id.replace('{name}', name)),
        argv: commandOf(
          listed.run.map((word) => word.replace('{name}', name)),
          listed.bundled,
        ),
        why: `${file} has ${listed.key === undefined ? 'the target' : listed.key === 'scripts' ? 'the script' : 'the task'} ${name}`,
        text,
      });
  }
  for (const check of toolchain.checks) {
    if (check.unless !== undefined && found.has(folder, check.unless)) continue;
    if (!(await isApplicable(check, project, readText))) continue;
    const mark = paths.find((path) => matchesGlob(path, toolchain.marks));
    found.add(folder, {
      id: check.id,
      argv: commandOf(check.run, check.bundled),
      why:
        check.why ??
        `there is ${mark === undefined ? `a project of ${toolchain.name}` : `a ${mark}`}`,
      runner: check.runner,
      needs: check.needs,
      works: check.works,
    });
  }
}

/** Returns the names that mean checks, in the toolchain's order, then names that match its pattern. */
function chosenNames(
  { names, also, not }: Toolchain['listed'][number],
  named: readonly NamedScript[],
): NamedScript[] {
  const known = new Map(named.map((entry) => [entry.name, entry]));
  const like = also === undefined ? undefined : new RegExp(also);
  const others = like === undefined ? [] : [...known.keys()].filter((name) => like.test(name));
  const isNone = not === undefined ? undefined : new RegExp(not);
  return [...new Set([...names, ...others])]
    .flatMap((name) => known.get(name) ?? [])
    .filter(({ text }) => isNone?.test(text) !== true);
}

async function isApplicable(
  { if: conditions }: ToolchainCheck,
  { paths }: Project,
  read: TextOf,
): Promise<boolean> {
  if (conditions.length === 0) return true;
  for (const { file, says } of conditions) {
    const matching = paths.filter((path) => matchesGlob(path, [file]));
    if (says === undefined && matching.length > 0) return true;
    const shape = says === undefined ? undefined : new RegExp(says, 'm');
    for (const path of shape === undefined ? [] : matching.slice(0, MOST_READ))
      if (shape?.test((await read(path)) ?? '') === true) return true;
  }
  return false;
}

interface Found {
  readonly id: string;
  readonly argv: readonly string[];
  readonly why: string;
  /** The command that it runs, if the file contains it; the test runner is derived from it. */
  readonly text?: string;
  readonly runner?: string | undefined;
  readonly needs?: readonly string[];
  readonly works?: readonly string[] | undefined;
}

class Suggestions {
  readonly all: Suggestion[] = [];
  readonly #runners: readonly { readonly name: string; readonly named: RegExp }[];
  /** The used ids by folder; an id is used only once. */
  readonly #given = new Map<string, Set<string>>();
  readonly #files = new Map<string, Set<string>>();

  constructor({ runners }: Toolchains) {
    this.#runners = runners.map(({ name, named }) => ({ name, named: new RegExp(named, 'g') }));
  }

  note(folder: string, paths: readonly string[]): void {
    this.#files.set(folder, new Set(paths.filter((path) => !path.includes('/'))));
  }

  /** Returns whether a parent folder has a file, such as the lock file at the root of a workspace. */
  hasAbove(folder: string, file: string): boolean {
    return [...this.#files].some(
      ([other, files]) => (other === '' || folder.startsWith(`${other}/`)) && files.has(file),
    );
  }

  has(folder: string, id: string): boolean {
    return this.#given.get(folder)?.has(id) === true;
  }

  add(folder: string, { id, argv, why, text, runner, needs = [], works }: Found): void {
    const given = this.#given.get(folder) ?? new Set();
    if (given.has(id)) return;
    this.#given.set(folder, given.add(id));
    const known = runner ?? this.#runnerOf(`${argv.join(' ')}\n${text ?? ''}`);
    this.all.push({
      id: this.#freeId(folder === '' ? id : idOf(`${folder}-${id}`)),
      argv,
      env: folder === '' ? [] : [{ name: 'PWD', value: folder }],
      timeoutS: TIMEOUT_S,
      why: folder === '' ? why : `${why}, in ${folder}`,
      ...withoutUndefined({ runner: known }),
      needs,
      ...withoutUndefined({ works }),
    });
  }

  /** Adds a command from CI, unless a toolchain has suggested the same. */
  addOther({ argv, folder, file }: Awaited<ReturnType<typeof suggestFromCi>>[number]): void {
    const isSame = (suggestion: Suggestion): boolean =>
      isSameCommand(suggestion.argv, argv) && (suggestion.env[0]?.value ?? '') === folder;
    if (this.all.some(isSame)) return;
    this.add(folder, {
      id: idOf(`ci-${argv.slice(0, 4).join('-')}`),
      argv,
      why: `${file} runs it: a command for continuous integration`,
    });
  }

  /** Returns the last runner that a command names: in `tape | tap-spec` the one that prints. */
  #runnerOf(text: string): string | undefined {
    let last: { readonly name: string; readonly at: number } | undefined;
    for (const { name, named } of this.#runners)
      for (const { index } of text.matchAll(named))
        if (last === undefined || index > last.at) last = { name, at: index };
    return last?.name;
  }

  #freeId(id: string): string {
    for (let time = 1; ; time += 1) {
      const free = time === 1 ? id : `${id}-${time}`;
      if (!this.all.some((suggestion) => suggestion.id === free)) return free;
    }
  }
}

/** Returns whether two commands are the same; `npm test` equals `npm run test`. */
function isSameCommand(command: readonly string[], other: readonly string[]): boolean {
  const toPlain = (argv: readonly string[]): string =>
    argv
      .join(' ')
      .replace(/^(npm|pnpm|yarn|bun) (?:run )?/, '$1 ')
      .replace(/ -v\b/, '');
  return toPlain(command) === toPlain(other);
}

/** Returns an id for a check, in the form that plans use. */
function idOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 24)
    .replace(/-$/, '');
}
