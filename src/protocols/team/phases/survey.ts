/** What is there before anything is paid: the checkout, by code, and the run's own copy of it. */
import type { Provision, Survey } from '../../../kernel/tools/workshop.ts';
import { fact } from '../facts.ts';
import type { TeamRun } from '../team-run.ts';

export interface Surveyed {
  readonly survey: Survey;
  /** Of the base. */
  readonly tree: string;
}

const NOTHING: Provision = { folders: [], files: [] };

export async function survey(team: TeamRun): Promise<Surveyed> {
  const { workshop, run } = team;
  const found = await team.act('survey', null, async (signal) => {
    const value = await workshop.survey(signal);
    return { value, facts: [fact('team.surveyed', { survey: bodyOf(value) })] };
  });
  // By the run's id: a fork has a copy of its own to make.
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

/** What the person lets the checks have: dependencies that they need, and what was named beforehand. */
export function provisionOf(team: TeamRun, { ignored }: Survey): Provision {
  const { provide, setUp } = team.config;
  const folders = ignored.map(({ path }) => path);
  const isFolder = (path: string): boolean => path.endsWith('/') || folders.includes(path);
  const named = provide.map((path) => ({ path: path.replace(/\/+$/, ''), folder: isFolder(path) }));
  const of = (folder: boolean): string[] =>
    named.flatMap((one) => (one.folder === folder ? [one.path] : []));
  return {
    folders: [...new Set([...folders, ...of(true)])].sort(),
    files: [...new Set(of(false))].sort(),
    ...(setUp === undefined
      ? {}
      : { setUp: { id: 'set-up', argv: setUp, env: [], timeoutS: SET_UP_SECONDS } }),
  };
}

/**
 * What a person writes at the gate in place of what is provided: `node_modules, .env.test; run npm ci`.
 * Nothing before `; run` is nothing.
 * @returns why it cannot be taken
 */
export function readProvision(
  words: string,
  { ignored }: Survey,
): Provision | { readonly why: string } {
  const [listed = '', ...rest] = words.split(';').map((one) => one.trim());
  const [command, ...more] = rest.filter((one) => one !== '');
  const paths = listed === 'nothing' ? [] : listed.split(',').map((one) => one.trim());
  const named = paths.filter((one) => one !== '');
  if (more.length > 0 || (command !== undefined && !command.startsWith('run ')))
    return { why: 'write it as: node_modules, .env.test; run npm ci' };
  const argv = command?.split(/\s+/).slice(1) ?? [];
  if (/["'`$\\|&<>]/.test(argv.join(' '))) return { why: `${command}: it is not run by a shell` };
  const isFolder = (path: string): boolean =>
    path.endsWith('/') || ignored.some((one) => one.path === path);
  const of = (folder: boolean): string[] =>
    named.filter((path) => isFolder(path) === folder).map((path) => path.replace(/\/+$/, ''));
  return {
    folders: [...new Set(of(true))].sort(),
    files: [...new Set(of(false))].sort(),
    ...(argv.length === 0
      ? {}
      : { setUp: { id: 'set-up', argv, env: [], timeoutS: SET_UP_SECONDS } }),
  };
}

/** Installing dependencies takes minutes where a check takes seconds. */
const SET_UP_SECONDS = 900;
