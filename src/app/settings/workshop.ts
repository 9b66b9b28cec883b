/**
 * Opens the workshop of a team: a copy of the repository in the run's own folder. Only a person can name the
 * repository, on the command line; a run from elsewhere has none.
 */
import { DeliberateError } from '../../kernel/errors.ts';
import type { Models } from '../../kernel/model.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { Workshop } from '../../kernel/tools/workshop.ts';
import type { RunView } from '../../kernel/view.ts';
import { getWorkshop } from '../../protocols/common/settings/workshop.ts';
import type { Store } from '../../store/store.ts';
import { workshopFolder } from '../../workshop/clean.ts';
import { openRequest } from '../../workshop/request.ts';
import { openCommands } from '../../workshop/running/commands.ts';
import { openWorkshop } from '../../workshop/workshop.ts';
import type { Invocation } from '../invocation.ts';
import { readConfig } from './config.ts';

/**
 * Returns the workshop of a new run: the copy of a repository in which its team works. Nothing is
 * written yet.
 */
export function workshopForRun(
  call: Invocation,
  { id, parent }: Pick<RunView, 'id' | 'parent'>,
  repository: string,
  { conceal }: Pick<Models, 'conceal'>,
): Workshop {
  const { env } = call;
  const { team_agent_env: pass = [], team_agent_home: home = [] } = readConfig(call);
  return openWorkshop({
    repository,
    folder: workshopFolder(env, id),
    run: id,
    // Make a fork's copy of the repository from the copy of its parent run, because facts that the fork took over
    // may name commits that exist only there.
    ...(parent === undefined ? {} : { earlier: workshopFolder(env, parent) }),
    env,
    conceal,
    commands: (place) => openCommands({ ...place, agent: { pass, home } }),
    request: openRequest,
  });
}

/**
 * Opens the workshop (the copy of a repository) of a recorded run or fork. Returns undefined if the
 * run works on no repository.
 *
 * @throws DeliberateError if the workshop cannot be opened
 */
export function reopenWorkshop(
  call: Invocation,
  store: Store,
  run: Pick<RunView, 'id' | 'parent' | 'config'>,
  models: Pick<Models, 'conceal'>,
): Workshop | undefined {
  const settings = getWorkshop(run.config);
  if (settings === undefined) return undefined;
  const repository = store.lookRoots(run.id).get(settings.root);
  if (repository === undefined)
    throw new DeliberateError(
      'root-unnamed',
      `run ${shortId(run.id)} works on a repository that this machine does not know`,
      `Name the repository: deliberate resume ${shortId(run.id)} --look ${settings.root}=PATH`,
    );
  return workshopForRun(call, run, repository, models);
}
