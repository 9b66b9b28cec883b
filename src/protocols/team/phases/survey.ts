/** Surveys the repository by code before anything costs money, and makes the run's own copy of it. */
import type { Provision, Survey } from '../../../kernel/tools/workshop.ts';
import { fact } from '../facts.ts';
import type { TeamRun } from '../team-run.ts';

/**
 * The survey of the repository, and the files of the base (the commit that the work starts from).
 */
export interface SurveyResult {
  readonly survey: Survey;
  /** The id of the tree of the base's files in the run's copy of the repository. */
  readonly tree: string;
}

const NOTHING: Provision = { folders: [], files: [] };

/** Surveys the repository and makes the run's own copy of it. */
export async function surveyRepository(team: TeamRun): Promise<SurveyResult> {
  const { workshop, run } = team;
  const found = await team.act('survey', null, async (signal) => {
    const value = await workshop.survey(signal);
    return { value, facts: [fact('team.surveyed', { survey: bodyOf(value) })] };
  });
  // A fork reuses a step's recorded result if its inputs are equal. The run's id is an input of this step, so a
  // fork does the step again and gets its own copy of the repository.
  const { tree } = await team.look('survey/copy', { base: found.base, run: run.id }, (signal) =>
    workshop.prepare(found.base, NOTHING, signal),
  );
  return { survey: found, tree };
}

function bodyOf(survey: Survey) {
  return structuredClone(survey) as Survey & {
    checks: (Survey['checks'][number] & { timeoutS: number })[];
  };
}

/**
 * Returns what checks may use in addition to the committed files: ignored dependency folders that
 * the survey found, and what the run's settings name.
 */
export function deriveProvision(team: TeamRun, { ignored }: Survey): Provision {
  const { provide, setUp } = team.config;
  const folders = ignored.map(({ path }) => path);
  const isFolder = (path: string): boolean => path.endsWith('/') || folders.includes(path);
  const named = provide.map((path) => ({ path: path.replace(/\/+$/, ''), folder: isFolder(path) }));
  const selectPaths = (folder: boolean): string[] =>
    named.flatMap((entry) => (entry.folder === folder ? [entry.path] : []));
  return {
    folders: [...new Set([...folders, ...selectPaths(true)])].sort(),
    files: [...new Set(selectPaths(false))].sort(),
    ...(setUp === undefined
      ? {}
      : { setUp: { id: 'set-up', argv: setUp, env: [], timeoutS: SET_UP_SECONDS } }),
  };
}

/**
 * Parses a person's answer about what checks may use, such as `node_modules, .env.test; run npm ci`. An
 * empty list of paths, or the word `nothing` in its place, provides no files.
 * @returns what to provide, or `why` the answer cannot be used
 */
export function readProvision(
  words: string,
  { ignored }: Survey,
): Provision | { readonly why: string } {
  const [listed = '', ...rest] = words.split(';').map((part) => part.trim());
  const [command, ...more] = rest.filter((part) => part !== '');
  const paths = listed === 'nothing' ? [] : listed.split(',').map((path) => path.trim());
  const named = paths.filter((path) => path !== '');
  if (more.length > 0 || (command !== undefined && !command.startsWith('run ')))
    return { why: 'write it as: node_modules, .env.test; run npm ci' };
  const argv = command?.split(/\s+/).slice(1) ?? [];
  if (/["'`$\\|&<>]/.test(argv.join(' '))) return { why: `${command}: it is not run by a shell` };
  const isFolder = (path: string): boolean =>
    path.endsWith('/') || ignored.some((entry) => entry.path === path);
  const selectPaths = (folder: boolean): string[] =>
    named.filter((path) => isFolder(path) === folder).map((path) => path.replace(/\/+$/, ''));
  return {
    folders: [...new Set(selectPaths(true))].sort(),
    files: [...new Set(selectPaths(false))].sort(),
    ...(argv.length === 0
      ? {}
      : { setUp: { id: 'set-up', argv, env: [], timeoutS: SET_UP_SECONDS } }),
  };
}

/** The time limit of a set-up command in seconds; installing dependencies takes minutes. */
const SET_UP_SECONDS = 900;
