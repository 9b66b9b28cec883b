/**
 * Tests that a team finds three faults that the tests of their author pass: a day by UTC, a lock that holds
 * in one process only, and a lock that outlives its process. Acceptance tests find the first two, a
 * verifier's probe the third.
 */
import { expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import {
  isFirstTurn,
  makeOneTaskPlan,
  makePassedVerdict,
  makeTask,
  makeWriter,
  TeamRunner,
  type TeamRunResult,
} from './harness.ts';

const HEAD = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";

const DAY = {
  by: (method: string) => `export function today(now) {\n  ${method}\n}\n`,
  utc: 'return now.toISOString().slice(0, 10);',
  local:
    "const two = (number) => String(number).padStart(2, '0');\n  return [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');",
  own: `${HEAD}import { today } from '../src/day.js';\n\ntest('says the day at noon', () => assert.match(today(new Date(2026, 2, 1, 12)), /^2026-03-0[12]$/));\n`,
  blind: `${HEAD}import { today } from '../src/day.js';\n\ntest('says the day where the person is', () => {\n  process.env.TZ = 'Pacific/Auckland';\n  assert.equal(today(new Date('2026-03-01T20:00:00Z')), '2026-03-02');\n});\n`,
};

const CLAIM = 'export function claim(folder, name) {\n';
const LOCK = {
  memory: `const held = new Set();\n\n${CLAIM}  const key = folder + '/' + name;\n  if (held.has(key)) return false;\n  held.add(key);\n  return true;\n}\n`,
  folder: `import { mkdirSync } from 'node:fs';\nimport { join } from 'node:path';\n\n${CLAIM}  try {\n    mkdirSync(join(folder, name));\n    return true;\n  } catch {\n    return false;\n  }\n}\n`,
  owned: `import { readFileSync, rmSync, writeFileSync } from 'node:fs';\nimport { join } from 'node:path';\n\n${CLAIM}  const file = join(folder, name);\n  try {\n    writeFileSync(file, String(process.pid), { flag: 'wx' });\n    return true;\n  } catch {\n    if (lives(Number(readFileSync(file, 'utf8')))) return false;\n    rmSync(file);\n    return claim(folder, name);\n  }\n}\n\nfunction lives(pid) {\n  try {\n    process.kill(pid, 0);\n    return true;\n  } catch {\n    return false;\n  }\n}\n`,
  own: `${HEAD}import { mkdtempSync } from 'node:fs';\nimport { tmpdir } from 'node:os';\nimport { join } from 'node:path';\nimport { claim } from '../src/lock.js';\n\ntest('is taken once', () => {\n  const folder = mkdtempSync(join(tmpdir(), 'lock-'));\n  assert.deepEqual([claim(folder, 'a'), claim(folder, 'a')], [true, false]);\n});\n`,
};

/** A program that tries to take a lock, says whether it succeeded, and then waits or ends at once. */
const OTHER = `import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claim } from '../src/lock.js';

const folder = mkdtempSync(join(tmpdir(), 'lock-'));
const script = "import { claim } from './src/lock.js'; process.stdout.write(String(claim(process.argv[1], 'a')));";
const other = (more) => spawn(process.execPath, ['--input-type=module', '-e', script + more, folder]);
const said = (child) => new Promise((resolve) => child.stdout.once('data', (part) => resolve(String(part))));
`;
const BLIND_LOCK = `${HEAD}${OTHER}
test('holds between programs', async () => {
  const child = other('setInterval(() => {}, 1000);');
  try {
    assert.equal(await said(child), 'true');
    assert.equal(claim(folder, 'a'), false);
  } finally {
    child.kill('SIGKILL');
  }
});
`;
const PROBE = `${HEAD}${OTHER}
test('ends with whoever took it', async () => {
  const child = other('');
  assert.equal(await said(child), 'true');
  await new Promise((resolve) => child.once('exit', resolve));
  assert.equal(claim(folder, 'a'), true);
});
`;

/** Answers in turn; the last answer repeats. */
function inTurn(...given: readonly ((asked: ModelRequest) => object | undefined)[]) {
  let at = -1;
  return (asked: ModelRequest) => {
    if (isFirstTurn(asked)) at += 1;
    return given[Math.min(at, given.length - 1)]?.(asked);
  };
}

interface Trap {
  readonly file: string;
  readonly says: string;
  readonly own: string;
  readonly blind: string;
  /** The texts that are written, one after the other. */
  readonly tries: readonly string[];
  readonly probe?: { readonly path: string; readonly text: string; readonly shows: string };
}

function holdTrap({ file, says, own, blind, tries, probe }: Trap): Promise<TeamRunResult> {
  const test = `test/own.test.js`;
  const plan = makeOneTaskPlan({
    requirements: [{ id: 'R1', text: says, proof: 'test' }],
    workstreams: [
      {
        id: 'words',
        goal: says,
        path: 'T4-T5',
        depends_on: [],
        covers: ['R1'],
        retry_multiplier: 2,
        task: makeTask('do', [file, test]),
      },
    ],
  });
  const path = 'test/blind.test.js';
  const item = {
    requirement: 'R1',
    met: 'yes',
    path: file,
    quote: 'export function',
    why: 'there',
  };
  return new TeamRunner().begin({
    script: {
      plan: () => plan,
      critique: () => ({ found: [], plan }),
      tests: makeWriter(
        { [path]: blind },
        { tests: [{ requirement: 'R1', path, shows: says }], untestable: [] },
      ),
      work: inTurn(...tries.map((text) => makeWriter({ [file]: text, [test]: own }))),
      verify: () => makePassedVerdict({ items: [item], ...withoutUndefined({ probe }) }),
    },
  });
}

it('an acceptance test rejects work that computes the day in UTC instead of local time', async () => {
  const held = await holdTrap({
    file: 'src/day.js',
    says: 'today(now) says the day where the person is',
    own: DAY.own,
    blind: DAY.blind,
    tries: [DAY.by(DAY.utc), DAY.by(DAY.local)],
  });
  expect(held.ending).toEqual({ status: 'done' });
  const judged = held.view.tasks[0]?.attempts.flatMap((attempt) => attempt.judged) ?? [];
  expect(judged.map(({ green }) => green)).toEqual([false, true]);
  expect(judged[0]?.why.join()).toContain('says the day where the person is');
});

it('an acceptance test rejects work whose lock holds only within one process, and a verifier’s test one that outlives its process', async () => {
  const held = await holdTrap({
    file: 'src/lock.js',
    says: 'claim(folder, name) is true for one program at a time',
    own: LOCK.own,
    blind: BLIND_LOCK,
    tries: [LOCK.memory, LOCK.folder, LOCK.owned],
    probe: { path: 'test/probe.test.js', text: PROBE, shows: 'a lock ends with whoever took it' },
  });
  expect(held.ending).toEqual({ status: 'done' });
  const [first, second] = held.view.tasks[0]?.attempts ?? [];
  expect(first?.judged.map(({ green }) => green)).toEqual([false, true]);
  expect(first?.judged[0]?.why.join()).toContain('holds between programs');
  // The first joined commit had only green checks, but it failed because the verifier's test was red.
  expect(held.view.joint.map((verdict) => verdict.verdict)).toEqual(['fail', 'pass']);
  expect(second?.judged.map(({ green }) => green)).toEqual([true]);
});

it('only the first of two workstreams keeps an acceptance test of the same name', async () => {
  const file = 'test/accept.test.js';
  const makeSource = (name: string) => `export const ${name} = 1;\n`;
  const makeWorkstream = (id: string, covers: string) => ({
    id,
    goal: `Write the part ${id}.`,
    path: 'T4-T5' as const,
    covers: [covers],
    retry_multiplier: 2 as const,
    depends_on: id === 'two' ? ['one'] : [],
    task: makeTask(id, [`src/${id}.js`, `test/${id}.test.js`], {
      workstream: id,
      covers: [covers],
    }),
  });
  const makeTest = (name: string) =>
    `${HEAD}import { ${name} } from '../src/${name}.js';\n\ntest('${name} is 1', () => assert.equal(${name}, 1));\n`;
  const plan = makeOneTaskPlan({
    requirements: [
      { id: 'R1', text: 'one is 1.', proof: 'test' },
      { id: 'R2', text: 'two is 1.', proof: 'test' },
    ],
    workstreams: [makeWorkstream('one', 'R1'), makeWorkstream('two', 'R2')],
  });
  const nameOf = ({ about }: ModelRequest) =>
    ['R1', 'one'].includes(about?.items?.[0] ?? '') ? 'one' : 'two';
  const held = await new TeamRunner().begin({
    script: {
      plan: () => plan,
      critique: () => ({ found: [], plan }),
      tests: (asked) =>
        makeWriter(
          { [file]: makeTest(nameOf(asked)) },
          {
            tests: [{ requirement: asked.about?.items?.[0], path: file, shows: 'it is 1' }],
            untestable: [],
          },
        )(asked),
      work: (asked) => {
        const name = nameOf(asked);
        return makeWriter({
          [`src/${name}.js`]: makeSource(name),
          [`test/${name}.test.js`]: makeTest(name),
        })(asked);
      },
      verify: (asked) => {
        const name = nameOf(asked);
        const why = { path: `src/${name}.js`, quote: makeSource(name), why: 'it is' };
        return makePassedVerdict({
          items: (asked.about?.items ?? []).map((requirement) => ({
            requirement,
            met: 'yes',
            ...why,
          })),
        });
      },
    },
  });
  expect(held.ending).toEqual({ status: 'done' });
  const written = [...held.view.tests].sort((one, other) =>
    one.workstream < other.workstream ? -1 : 1,
  );
  expect(written).toMatchObject([
    { workstream: 'one', files: [file], tests: [{ state: 'red' }] },
    {
      workstream: 'two',
      files: [],
      tests: [],
      why: `${file}: written for one as well, with another text`,
    },
  ]);
  expect(held.view.requirements.map(({ state, evidence }) => [state, evidence.at(-1)])).toEqual([
    ['met', `${file}, written before the work: red on the base, green now`],
    ['met', 'test/two.test.js, of the work itself: red on the base, green now'],
  ]);
});
