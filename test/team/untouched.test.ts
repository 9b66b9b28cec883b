/**
 * Tests that everything of the person's stays as it is, whatever T4 writes, and that they are told
 * beforehand.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answerer } from '../../src/kernel/handle.ts';
import {
  makePersonRepository,
  openPersonRepository,
  type PersonRepository,
} from '../workshop/place.ts';
import {
  DONE_REPORT,
  makeScriptedModels,
  makeToolCalls,
  type Script,
  TeamRunner,
  type TeamRunOptions,
  type TeamRunResult,
} from './harness.ts';
import {
  makeNotesPlan,
  makeNotesRepository,
  makeNoteTask,
  makeSoundScript,
  notePathOf,
  noteTextOf,
} from './notes.ts';

const TASKS = [makeNoteTask('one')];
const PLAN = makeNotesPlan('T4-T5', TASKS);
const SCRIPT = makeSoundScript(PLAN, TASKS);

/** Takes a fingerprint of everything that belongs to the person at each question. */
function watchRunner(runner: TeamRunner): {
  readonly answer: Answerer;
  readonly seen: () => Set<string>;
} {
  const seen = new Set<string>();
  const answers = runner.makeAnswerer();
  return {
    seen: () => seen,
    answer: (...given) => {
      seen.add(runner.person.fingerprint());
      return answers(...given);
    },
  };
}

async function holdRun(
  person: PersonRepository,
  script: Script = SCRIPT,
  more: TeamRunOptions = {},
): Promise<TeamRunResult> {
  return new TeamRunner(person).begin({ script, ...more });
}

/** Creates a repository with hooks that record that they ran, unusual settings, and no name for commits. */
function makeTrapped(): { readonly one: PersonRepository; readonly ran: string } {
  const made = makeNotesRepository();
  const ran = join(made.root, 'hook-ran');
  const hook = `#!/bin/sh\necho "$0 $ANTHROPIC_API_KEY" >> '${ran}'\nexit 1\n`;
  for (const name of [
    'post-checkout',
    'pre-commit',
    'commit-msg',
    'post-merge',
    'reference-transaction',
  ])
    made.write(`.git/hooks/${name}`, hook, 0o755);
  const own = join(made.root, 'home', 'hooks');
  mkdirSync(own);
  writeFileSync(join(own, 'post-checkout'), hook, { mode: 0o755 });
  writeFileSync(
    join(made.root, 'home', '.gitconfig'),
    `[core]\n\thooksPath = ${own}\n[commit]\n\tgpgSign = true\n[user]\n\tuseConfigOnly = true\n`,
  );
  return { one: made, ran };
}

describe('the person’s repository', () => {
  it('is the same at every question to the person as before the run', async () => {
    const person = makeNotesRepository();
    person.git('branch', 'deliberate/x');
    person.git('tag', 'v1');
    person.git('worktree', 'add', '--quiet', join(person.root, 'other'), '-b', 'other');
    person.write('src/start.txt', 'Stashed.\n');
    person.git('stash', '--quiet');
    person.write('src/start.txt', 'Staged.\n');
    person.git('add', 'src/start.txt');
    person.write('src/start.txt', 'Dirty.\n');
    person.write('mine.txt', 'Untracked.\n');
    const left = join(person.env.XDG_STATE_HOME ?? '', 'runs', '0190-left-over', 'workshop');
    mkdirSync(join(left, 'repository.git'), { recursive: true });
    const before = person.fingerprint();
    const runner = new TeamRunner(person);
    const { answer, seen } = watchRunner(runner);
    const held = await runner.begin({ script: SCRIPT, answer });
    expect(held.ending).toEqual({ status: 'done' });
    expect([...seen()]).toEqual([before]);
    const { branch = '' } = held.view.delivered ?? {};
    person.git('branch', '-D', branch);
    expect(person.git('for-each-ref', '--format=%(refname)').trim().split('\n')).toEqual([
      ...['refs/heads/deliberate/x', 'refs/heads/main', 'refs/heads/other', 'refs/stash'],
      'refs/tags/v1',
    ]);
    expect(person.read('src/start.txt')).toBe('Dirty.\n');
  });

  it('is used without running its hooks or passing on keys', async () => {
    const { one: person, ran } = makeTrapped();
    const tasks = [
      makeNoteTask('one', { files: [notePathOf('one'), '.gitattributes', 'hooks/*'] }),
    ];
    const plan = makeNotesPlan('T4-T5', tasks);
    const told = join(person.root, 'env');
    const script = makeSoundScript(plan, tasks);
    const held = await holdRun(person, script, {
      config: {
        runtime: {
          kind: 'command',
          timeoutS: 60,
          // The program that does the work tries to leave a hook which git would run later.
          argv: [
            ...['sh', '-c'],
            `git config core.hooksPath hooks; mkdir -p hooks; printf '#!/bin/sh\\ntouch ${ran}\\n' > hooks/post-checkout; chmod +x hooks/post-checkout; env > '${told}'; echo '${noteTextOf('one').trim()}' > ${notePathOf('one')}`,
          ],
        },
      },
    });
    expect(held.ending).toEqual({ status: 'done' });
    expect(existsSync(ran)).toBe(false);
    expect(execFileSync('cat', [told], { encoding: 'utf8' })).not.toContain('never-to-be-seen');
    const { branch = '' } = held.view.delivered ?? {};
    expect(person.git('log', '-1', '--format=%an %G?', branch).trim()).toBe('deliberate N');
    expect(held.gates[0]).toContain('hooks, never run');
  });
});

describe('the question about the plan', () => {
  it('names untracked and ignored files, which the team does not see', async () => {
    const person = makeNotesRepository();
    person.write('.gitignore', 'node_modules/\n.env\n');
    person.git('add', '.gitignore');
    person.git('commit', '--quiet', '-m', 'Ignore');
    person.write('node_modules/dep/index.js', 'x\n');
    person.write('.env', 'KEY=1\n');
    person.write('fixture.txt', 'untracked\n');
    const runner = new TeamRunner(person);
    const answer = runner.makeAnswerer({ approve: 'reject' });
    const held = await runner.begin({ script: SCRIPT, answer });
    expect(held.ending).toEqual({ status: 'failed', reason: 'the plan was rejected' });
    const [gate = ''] = held.gates;
    expect(gate).toContain('untracked: fixture.txt');
    expect(gate).toMatch(/ignored by git: \.env \(\d+ bytes\), node_modules \(\d+ bytes\)/);
    expect(gate).toMatch(/Provided to the checks\n +\.env\/?, node_modules\//);
  });

  it('lets the person choose which untracked files and ignored folders are provided to the checks', async () => {
    const person = makeNotesRepository();
    person.write('.gitignore', 'node_modules/\n.env\n');
    person.write('check.sh', 'test -f fixture.txt && test -f made.txt && ! test -f .env\n');
    person.git('add', '.');
    person.git('commit', '--quiet', '-m', 'Want a fixture');
    person.write('node_modules/dep/index.js', 'x\n');
    person.write('.env', 'KEY=1\n');
    person.write('fixture.txt', 'untracked\n');
    const runner = new TeamRunner(person);
    const wanted = [
      'provide: nowhere.txt',
      'provide: fixture.txt; cp src/start.txt made.txt',
      'provide: node_modules, fixture.txt; run cp src/start.txt made.txt',
      'approve',
    ];
    const prompts: string[] = [];
    const answers = runner.makeAnswerer();
    const held = await runner.begin({
      script: SCRIPT,
      answer: async (step, question, signal) => {
        if (!step.startsWith('approve/')) return answers(step, question, signal);
        prompts.push(question.prompt);
        return { answer: wanted[prompts.length - 1] ?? '', by: 'person' };
      },
    });
    expect(held.ending).toEqual({ status: 'done' });
    expect(prompts[1]).toContain('Not provided: nowhere.txt: not in the repository');
    expect(prompts[2]).toContain('Not provided: write it as: ');
    expect(prompts[3]).toContain('node_modules/, fixture.txt');
    expect(prompts[3]).toContain(
      'run once before, with network: ["cp","src/start.txt","made.txt"]',
    );
    expect(prompts[3]).not.toMatch(/Provided to the checks\n.*\.env/);
    expect(held.view.approved?.provide).toEqual(['node_modules', 'fixture.txt']);
    expect(held.view.checks.every(({ exit }) => exit === 0)).toBe(true);
  });

  it('is asked again if a requested change has changed nothing', async () => {
    const runner = new TeamRunner(makeNotesRepository());
    const answers = runner.makeAnswerer();
    let asked = 0;
    const held = await runner.begin({
      script: SCRIPT,
      answer: async (step, question, signal) => {
        if (!step.startsWith('approve/')) return answers(step, question, signal);
        asked += 1;
        return { answer: asked <= 2 ? 'amend: Make it nicer.' : 'reject', by: 'person' };
      },
    });
    expect(asked).toBe(3);
    expect(held.ending).toEqual({ status: 'failed', reason: 'the plan was rejected' });
    expect(held.view.planned.filter(({ by }) => by === 'person')).toHaveLength(2);
    // Each question has a key of its own, so that a resumed run asks only questions without an answer.
    const steps = held.facts.filter(({ type }) => type === 'gate.answered');
    expect(new Set(steps.map(({ step }) => step)).size).toBe(3);
  });
});

describe('repositories with unusual features', () => {
  it('keep submodules, LFS and CRLF unchanged', async () => {
    const person = makeNotesRepository();
    const other = person.git('rev-parse', 'HEAD').trim();
    person.write(
      '.gitmodules',
      '[submodule "sub"]\n\tpath = sub\n\turl = https://example.invalid/sub\n',
    );
    person.write('.gitattributes', '*.bin filter=lfs -text\n*.txt -text\n');
    person.write('big.bin', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n');
    person.write('dos.txt', 'one\r\ntwo\r\n');
    person.write('with space/ünï cödé 日本.txt', 'here\n');
    person.git('-c', 'core.autocrlf=false', 'add', '.');
    person.git('update-index', '--add', '--cacheinfo', `160000,${other},sub`);
    person.git('commit', '--quiet', '-m', 'All kinds');
    const file = 'with space/ünï cödé 日本.txt';
    const tasks = [makeNoteTask('one', { files: [notePathOf('one'), file, 'dos.txt'] })];
    const held = await holdRun(
      person,
      makeSoundScript(makeNotesPlan('T4-T5', tasks), tasks, {
        work: (asked) =>
          asked.messages.length === 1
            ? makeToolCalls(
                ['write', { path: notePathOf('one'), text: noteTextOf('one') }],
                ['write', { path: file, text: 'there\n' }],
                ['edit', { path: 'dos.txt', old: 'two', new: 'three' }],
              )
            : DONE_REPORT,
      }),
    );
    expect(held.ending).toEqual({ status: 'done' });
    const [gate = ''] = held.gates;
    expect(gate).toContain('submodules, not fetched: sub');
    expect(gate).toContain('in LFS, not fetched: big.bin');
    const { branch = '' } = held.view.delivered ?? {};
    expect(person.git('show', `${branch}:dos.txt`)).toBe('one\r\nthree\r\n');
    expect(person.git('show', `${branch}:${file}`)).toBe('there\n');
    expect(person.git('diff', '--name-only', '-z', 'main', branch).split('\0').sort()).toEqual(
      ['', 'dos.txt', notePathOf('one'), file].sort(),
    );
  });

  it('keep a detached HEAD, and receive the work as a new branch', async () => {
    const person = makeNotesRepository();
    person.git('branch', 'deliberate');
    person.git('checkout', '--quiet', '--detach');
    const runner = new TeamRunner(person);
    const offered: string[] = [];
    const answers = runner.makeAnswerer();
    const held = await runner.begin({
      script: SCRIPT,
      config: { deliver: 'forward' },
      answer: (step, question, signal) => {
        if (step.startsWith('deliver/'))
          offered.push(...question.options.map(({ value }) => value));
        return answers(step, question, signal);
      },
    });
    expect(offered).toEqual(['branch', 'nothing']);
    expect(held.ending).toEqual({ status: 'done' });
    expect(() => person.git('symbolic-ref', '-q', 'HEAD')).toThrow();
    const { branch = '' } = held.view.delivered ?? {};
    expect(person.git('show', `${branch}:${notePathOf('one')}`)).toBe(noteTextOf('one'));
    expect(person.git('branch', '--list', '--format=%(refname:short)', 'deliberate*')).toBe(
      `deliberate\n${branch}\n`,
    );
  });

  it.each([
    ['no commit', (person: PersonRepository) => person, 'nothing is committed yet'],
    [
      'no git',
      (person: PersonRepository) => openPersonRepository(person.root, person.root, person.env),
      'not a git repository',
    ],
  ])('are refused before any model is asked: %s', async (_, where, why) => {
    const runner = new TeamRunner(where(makePersonRepository()));
    const models = makeScriptedModels(SCRIPT);
    await expect(runner.begin({ models })).rejects.toThrow(why);
    expect(models.requests).toEqual([]);
  });
});
