/**
 * Runs a team of simulated seats on one small repository, with real git and tests, and judges the resulting
 * branch.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TeamConfig } from '../../src/protocols/team/config.ts';
import type { TeamView } from '../../src/protocols/team/fold.ts';
import { makeScriptedModels } from '../../test/team/harness.ts';
import type { PersonRepository } from '../../test/workshop/place.ts';
import { type Defect, hiddenName, testOf } from './defects.ts';
import { makeScript, type Verifiers } from './minds.ts';
import { repositoryOf, withTeam } from './runner.ts';

/** What came of a team's run on a repository with a seeded defect. */
export interface PlayedRun {
  /** Whether the team delivered a branch and reported every requirement as met. */
  readonly isMet: boolean;
  /** Whether the branch passes the test that shows the defect; undefined if there is no branch. */
  readonly isRight?: boolean | undefined;
  /** Whether there is a test by another seat than the worker that failed at first and that the work had to pass. */
  readonly isLocked: boolean;
  /** How many requests were sent to models. */
  readonly calls: number;
}

/**
 * Runs a team of simulated seats whose worker at first makes a defect. Compares what the team reports with a test
 * that shows the defect.
 */
export function play(
  defect: Defect,
  verifiers: Verifiers,
  seed: number,
  config: Partial<TeamConfig> = {},
): Promise<PlayedRun> {
  const models = makeScriptedModels(makeScript(defect, verifiers, seed));
  return withTeam(
    {
      goal: defect.says,
      models,
      make: repositoryIn,
      config: { version: 5, seed, ...config },
    },
    ({ root, person, view }) => {
      const branch = view.delivered?.branch;
      const isMet = branch !== undefined && view.requirements.every(({ state }) => state === 'met');
      return {
        isMet,
        ...(branch === undefined ? {} : { isRight: passesHidden(person, root, branch, defect) }),
        isLocked: hasLocked(view),
        calls: models.requests.length,
      };
    },
  );
}

/** Creates the small repository on which simulated teams work, a package with one passing test, below `root`. */
export function repositoryIn(root: string): PersonRepository {
  return repositoryOf(root, 'small', {
    'package.json': '{ "name": "small", "type": "module" }\n',
    'test/there.test.js':
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n\ntest('is there', () => assert.ok(true));\n",
  });
}

function hasLocked({ tests, locked }: TeamView): boolean {
  return (
    locked.some(({ dropped }) => dropped === undefined) ||
    tests.some((fact) => fact.tests.some(({ state }) => state === 'red'))
  );
}

function passesHidden(
  { folder, env }: PersonRepository,
  root: string,
  branch: string,
  defect: Defect,
): boolean {
  const out = join(root, 'home');
  mkdirSync(out);
  const archive = execFileSync('git', ['archive', branch], {
    cwd: folder,
    env: { ...env } as NodeJS.ProcessEnv,
  });
  execFileSync('tar', ['-x', '-C', out], { input: archive });
  const name = 'hidden.test.js';
  writeFileSync(join(out, 'test', name), testOf(defect, hiddenName(defect), defect.hidden));
  const ran = spawnSync(process.execPath, ['--test', join('test', name)], { cwd: out });
  return ran.status === 0;
}
