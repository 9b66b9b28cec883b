/**
 * Tests `deliberate team show TASK` with the real program: its page, and its diff from the run's own copy.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { workshopFolder } from '../../src/workshop/clean.ts';
import { Program, type ProgramResult } from '../e2e/program.ts';
import {
  beginWorkshop,
  makeShop,
  type PersonRepository,
  signal,
  workshopOf,
} from '../workshop/place.ts';
import { STAGES } from './facts-of-a-run.ts';

interface Recorded {
  readonly one: PersonRepository;
  readonly run: string;
  show(...args: string[]): Promise<ProgramResult>;
}

/** Records the test run with the commits of a real copy of a real repository. */
async function recordRun(): Promise<Recorded> {
  const person = makeShop();
  const db = join(person.root, 'runs.db');
  const store = Store.open(db, FACTS);
  const journal = store.create('team');
  const { run } = journal;
  const { workshop, base, tree } = await beginWorkshop(person, workshopOf(person, { run }));
  const changed = await workshop.put(
    tree,
    'src/list.ts',
    'export const \u001b[31mLIST = [1];\n',
    signal,
  );
  const made = await workshop.commit({ tree: changed, parents: [base], message: 'List' }, signal);
  if (!made.done) throw new Error('nothing was committed');
  journal.note(
    STAGES.done.map((body) => {
      if (body.type === 'task.started') return { ...body, base };
      return body.type === 'commit.made' && body.commit !== undefined
        ? { ...body, commit: made.commit }
        : body;
    }),
  );
  journal.release();
  store.close();
  const { XDG_STATE_HOME = '', HOME = '' } = person.env;
  return {
    one: person,
    run,
    show: (...args) =>
      new Program(['team', 'show', ...args, '--db', db], { env: { XDG_STATE_HOME, HOME } }).ended,
  };
}

it('team show prints a task of the newest team run', async () => {
  const { one: person, run, show } = await recordRun();
  const page = await show('json-flag');
  expect(page.err).toMatch(/^Latest team run: \S+ ".*"\n$/);
  expect(page.code).toBe(0);
  expect(page.out).toMatch(/^# json-flag\n\n\*\*Write the rows as one JSON array\*\*/);
  for (const words of [
    '## Brief',
    '- src/format.ts (granted)',
    'Nothing was committed: package.json (guarded).',
    'Code finds it red: 2 tests fewer passed than on the base',
    '- T3 to T2 (brief): The architecture keeps dates in the store.',
    '# fail 2',
  ])
    expect(page.out).toContain(words);
  const before = person.fingerprint();
  const diff = await show('utc-dates', '--diff', '--run', run);
  expect(diff.code).toBe(0);
  expect(diff.err).toContain('utc-dates, attempt 2\n');
  expect(diff.out).toContain('-export const LIST = [];\n');
  expect(diff.out).toMatch(/\+export const .*LIST = \[1\];/);
  expect(diff.out).not.toContain('\u001b');
  expect(person.fingerprint()).toBe(before);
  const json = JSON.parse((await show('json-flag', '--json')).out) as { attempts: unknown[] };
  expect(json.attempts).toHaveLength(3);
});

it('team show says if the task is unknown, or if the copy of the repository that --diff needs is gone', async () => {
  const { one: person, run, show } = await recordRun();
  const strange = await show('__proto__');
  expect(strange.code).toBe(2);
  expect(strange.err).toContain('has no task __proto__');
  expect(strange.err).toContain('Its tasks: row-fields, json-flag, utc-dates, readme-flag');
  const tasks = (await show()).out.split('\n');
  expect(tasks.map((row) => row.split(' ')[0])).toEqual([
    ...['row-fields', 'json-flag', 'utc-dates', 'readme-flag'],
    '',
  ]);
  rmSync(workshopFolder(person.env, run), { recursive: true });
  const gone = await show('json-flag', '--diff');
  expect(gone.code).not.toBe(0);
  expect(gone.err).toContain('is not on this machine');
  // Without `--diff`, `team show` needs only the journal, and not the run's copy of the repository.
  expect((await show('json-flag')).code).toBe(0);
});
