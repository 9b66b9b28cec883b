/** One small repository given to a team of simulated seats: real git, real tests, and what came home. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TeamConfig } from '../../src/protocols/team/config.ts';
import { SEATS } from '../../src/protocols/team/config.ts';
import { type TeamView, teamOf } from '../../src/protocols/team/fold.ts';
import { seat } from '../../test/kernel/scripted-models.ts';
import { House, playing } from '../../test/team/harness.ts';
import { at, type Person } from '../../test/workshop/place.ts';
import { type Defect, hiddenName, testOf } from './defects.ts';
import { script, type Verifiers } from './minds.ts';

export interface Played {
  /** Whether a branch came home with the requirement as met. */
  readonly isMet: boolean;
  /** By the hidden test; undefined where nothing came home. */
  readonly isRight?: boolean | undefined;
  /** A locked test of somebody other than who did the work was red before and holds. */
  readonly isLocked: boolean;
  readonly calls: number;
}

export async function play(
  defect: Defect,
  verifiers: Verifiers,
  seed: number,
  config: Partial<TeamConfig> = {},
): Promise<Played> {
  const root = mkdtempSync(join(tmpdir(), 'deliberate-defect-'));
  try {
    const person = repositoryIn(root);
    const house = new House(person, join(root, 'runs.db'));
    const store = house.open();
    const { session, models } = house.session(store, undefined, {
      models: playing(script(defect, verifiers, seed)),
    });
    await session.begin({
      question: defect.says,
      seats: SEATS.map((id) => seat(id)),
      config: { ...house.config({ version: 3, seed, ...config }) },
    });
    await session.close();
    const view = teamOf(store.facts(session.run));
    store.close();
    const branch = view.delivered?.branch;
    const isMet = branch !== undefined && view.requirements.every(({ state }) => state === 'met');
    return {
      isMet,
      ...(branch === undefined ? {} : { isRight: passesHidden(person, root, branch, defect) }),
      isLocked: hasLocked(view),
      calls: models.requests.length,
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

export function repositoryIn(root: string): Person {
  const person = at(root, join(root, 'small'), {
    PATH: process.env.PATH,
    HOME: root,
    XDG_STATE_HOME: join(root, 'state'),
  });
  mkdirSync(person.folder);
  person.git('init', '--quiet', '--initial-branch=main');
  person.write('package.json', '{ "name": "small", "type": "module" }\n');
  person.write(
    'test/there.test.js',
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n\ntest('is there', () => assert.ok(true));\n",
  );
  person.git('add', '.');
  person.git('commit', '--quiet', '-m', 'Begin');
  return person;
}

function hasLocked({ tests, locked }: TeamView): boolean {
  return (
    locked.some(({ dropped }) => dropped === undefined) ||
    tests.some((one) => one.tests.some(({ state }) => state === 'red'))
  );
}

function passesHidden(
  { folder, env }: Person,
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
