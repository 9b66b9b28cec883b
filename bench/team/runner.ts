/**
 * Runs a team on a new repository, from the beginning to the end of the run, and removes the folders
 * afterwards.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ending } from '../../src/kernel/session.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { SEATS, type TeamConfig } from '../../src/protocols/team/config.ts';
import { foldAllTeamFacts, type TeamView } from '../../src/protocols/team/fold.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { makeSeat } from '../../test/kernel/scripted-models.ts';
import { type RecordingModels, TeamRunner, type TeamRunOptions } from '../../test/team/harness.ts';
import { openPersonRepository, type PersonRepository } from '../../test/workshop/place.ts';

/** A run of a team that a measurement needs. */
export interface TeamRunRequest {
  readonly goal: string;
  readonly models: RecordingModels;
  readonly config: Partial<TeamConfig>;
  /** Creates the repository in an empty folder. */
  readonly make: (root: string) => PersonRepository;
  /** Wraps the run's workshop, such as to time its calls. */
  readonly around?: TeamRunOptions['wrapWorkshop'];
}

interface HeldRun {
  readonly root: string;
  readonly person: PersonRepository;
  readonly config: TeamConfig;
  readonly ending: Ending;
  readonly facts: readonly AnyFact[];
  readonly view: TeamView;
  /** Milliseconds from the beginning to the end of the run. */
  readonly wallMs: number;
}

/**
 * Runs a team on a new repository, and then calls `use` with the ended run. Resolves to the result of `use`, after
 * which the folders are removed.
 */
export async function withTeam<T>(
  { goal, models, config: more, make, around }: TeamRunRequest,
  use: (held: HeldRun) => T | Promise<T>,
): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    const runner = new TeamRunner(make(root), join(root, 'runs.db'));
    const store = runner.openStore();
    const { session } = runner.openSession(store, undefined, {
      models,
      ...withoutUndefined({ wrapWorkshop: around }),
    });
    const config = runner.makeConfig(more);
    const began = performance.now();
    const ending = await session.begin({
      question: goal,
      seats: SEATS.map((id) => makeSeat(id)),
      config: { ...config },
    });
    const wallMs = performance.now() - began;
    await session.close();
    const facts = store.facts(session.run);
    store.close();
    const { person } = runner;
    return await use({
      root,
      person,
      config,
      ending,
      facts,
      view: foldAllTeamFacts(facts),
      wallMs,
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Creates a git repository in the folder `name` below `root`, with these files as its first commit. */
export function repositoryOf(
  root: string,
  name: string,
  files: Readonly<Record<string, string>>,
): PersonRepository {
  const person = openPersonRepository(root, join(root, name), {
    PATH: process.env.PATH,
    HOME: root,
    XDG_STATE_HOME: join(root, 'state'),
  });
  mkdirSync(person.folder);
  person.git('init', '--quiet', '--initial-branch=main');
  for (const [path, text] of Object.entries(files)) person.write(path, text);
  person.git('add', '.');
  person.git('commit', '--quiet', '-m', 'Begin');
  return person;
}
