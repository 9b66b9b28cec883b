/**
 * Six runs of a team on small repositories, answered by hand: a change of one file, two domains with an
 * interface between them, a trap that only a test written before the work finds, and one by bad minds, who
 * plan too deep, hand in nothing, empty a test and nod. Then a task that is cut wrongly, with work beside it
 * that is nobody's: split and placed by a lead, and by one who does neither well. What was merged must have
 * been shown, and what was not must not pass for it. Two runs by scripted minds, by the rules of versions 3 and
 * 4, replay as well: a verifier's test is locked, another is dropped, and a check cannot start.
 */
import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import type { Tree, Workshop } from '../../src/kernel/tools/workshop.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { formatReport } from '../../src/plain/report.ts';
import { loadProtocolReport } from '../../src/protocols/table.ts';
import { configSchema } from '../../src/protocols/team/config.ts';
import { estimateSeats } from '../../src/protocols/team/estimate.ts';
import { describeTeam, exportedTeam } from '../../src/protocols/team/exported.ts';
import { foldAllTeamFacts, type TeamView } from '../../src/protocols/team/fold.ts';
import { forkOf } from '../../src/protocols/team/past.ts';
import { team } from '../../src/protocols/team/team.ts';
import { treeTools } from '../../src/workshop/trees.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { listFactsOfType, stopAtGate, temporaryStore, typesOf } from '../kernel/desk.ts';
import { makeFailure, ScriptedModels } from '../kernel/scripted-models.ts';
import { type PlayedName, readGolden, restoreGolden } from './journal.ts';

const RUNS = [
  ['played-team', 'done'],
  ['played-team-domains', 'done'],
  ['played-team-trap', 'done'],
  ['played-team-badly', 'failed'],
  ['played-team-split', 'done'],
  ['played-team-split-badly', 'failed'],
] as const;

const REPLAYED = [
  ...RUNS,
  ['played-team-locked-3', 'done'],
  ['played-team-locked', 'done'],
] as const;

/** Returns a workshop that notes every use, and fails at all that are not in `able`: a replay needs none. */
function makeWorkshop(used: string[], able: Partial<Workshop> = {}): Workshop {
  return new Proxy(able, {
    get:
      (own, name: keyof Workshop) =>
      (...given: never[]) => {
        used.push(String(name));
        const does = own[name] as ((...all: never[]) => unknown) | undefined;
        if (does === undefined) throw new Error(`the workshop was used: ${String(name)}`);
        return does(...given);
      },
  }) as Workshop;
}

/**
 * The tools that the seats were offered. A replay needs the same descriptions, since prompts contain them.
 */
const TOOLS = treeTools(
  () => Promise.reject(new Error('a tree was looked into')),
  (text) => text,
);

const NOBODY = () =>
  new ScriptedModels(({ seat }) => makeFailure('internal', `${seat.id} was asked`));

describe.each(REPLAYED)('the recorded team run %s', (name, status) => {
  it('replays without asking a model or using a repository', async () => {
    const golden = readGolden(name);
    const used: string[] = [];
    const models = NOBODY();
    const journal = restoreGolden(temporaryStore(), golden);
    const session = new Session({
      journal,
      models,
      protocol: team as Protocol,
      answer: stopAtGate,
      tools: TOOLS,
      workshop: makeWorkshop(used),
    });
    expect(await session.resume({ kind: 'convene' })).toMatchObject({ status });
    // No step may be done again. A step that is listed here differs from the recording in its prompt, its
    // schema or its input.
    const more = filterKnownFacts(journal.facts(golden.facts.length));
    expect(listFactsOfType(more, 'step.started').map(({ step }) => step)).toEqual([]);
    expect([models.asked, used]).toEqual([[], []]);
    expect(typesOf(more)).toEqual(['run.resumed', 'run.ended']);
  });

  it('has a valid export and a report that lists all its requirements', async () => {
    const { facts } = readGolden(name);
    const exported = exportedTeam(facts);
    expect(describeTeam().parse(JSON.parse(JSON.stringify(exported)))).toEqual(exported);
    const text = await formatReport(facts, await loadProtocolReport('team'));
    for (const { id } of viewIn(name).requirements) expect(text).toContain(`### ${id}`);
  });

  it('contains at most as many calls of each seat as the estimate that was made from its plan', () => {
    const facts = filterKnownFacts(readGolden(name).facts);
    const [opening] = listFactsOfType(facts, 'run.started');
    const { plan } = viewIn(name);
    if (opening === undefined || plan === undefined) expect.fail('it has no plan');
    const config = configSchema.parse(opening.config);
    const asked = listFactsOfType(facts, 'call.completed');
    for (const { seat, calls } of estimateSeats(opening.question, opening.seats, config, plan)) {
      const times = asked.filter((call) => call.seat === seat).length;
      expect([seat, times <= calls.high]).toEqual([seat, true]);
    }
  });

  it('contains no path or host name of the machine that recorded it', () => {
    const text = JSON.stringify(readGolden(name));
    expect(text).not.toMatch(/\/(?:home|root|work|Users)\/[a-z]|hostname/);
  });
});

function viewIn(name: PlayedName): TeamView {
  return foldAllTeamFacts(readGolden(name).facts);
}

describe("a fork of a team's run", () => {
  it('asks the new model for the steps after the change, and repeats no other work', async () => {
    const golden = readGolden('played-team');
    const store = temporaryStore();
    const parent = restoreGolden(store, golden);
    const past = { facts: golden.facts, view: viewOf(golden.facts) };
    const { config } = forkOf(past, 'accept/round-1', [
      { kind: 'seat', seat: 't1', value: 'test/other' },
    ]);
    const [opening] = listFactsOfType(golden.facts, 'run.started');
    if (opening === undefined) expect.fail('it has no beginning');
    const used: string[] = [];
    // The copy of the repository belongs to the parent run, so take the copy from the parent's steps. All
    // other recorded results are found by the hash of their inputs.
    const copy = golden.steps.find(({ step }) => step === 'survey/copy')?.result as Tree;
    const models = NOBODY();
    const fork = store.create('team', parent.run);
    const session = new Session({
      journal: fork,
      models,
      protocol: team as Protocol,
      answer: stopAtGate,
      tools: TOOLS,
      workshop: makeWorkshop(used, { prepare: () => Promise.resolve(copy) }),
    });
    const ended = await session.begin({ ...opening, config, parent: parent.run });
    expect(ended).toMatchObject({ status: 'failed', reason: expect.stringContaining('accepted') });
    expect(new Set(models.asked)).toEqual(new Set(['t1']));
    expect(new Set(used)).toEqual(new Set(['prepare']));
    const asked = listFactsOfType(filterKnownFacts(fork.facts()), 'call.failed').map(
      ({ step }) => step.split('/')[0],
    );
    expect(new Set(asked)).toEqual(new Set(['accept']));
    expect(foldAllTeamFacts(fork.facts()).joint).toMatchObject([{ verdict: 'pass' }]);
  });
});

describe('the recorded run of a team that met all requirements', () => {
  it.each(RUNS.flatMap(([name, status]) => (status === 'done' ? [name] : [])))(
    'has a quotation for each requirement, and where a test was planned, a test that failed before the work (%s)',
    (name) => {
      const { requirements, verdicts, delivered, joint } = viewIn(name);
      expect(delivered?.how).toBe('branch');
      expect(joint.every(({ verdict }) => verdict === 'pass')).toBe(true);
      for (const { id, state, proof, evidence } of requirements) {
        expect([id, state]).toEqual([id, 'met']);
        const places = verdicts.flatMap(({ items }) =>
          items.filter((item) => item.requirement === id),
        );
        expect(places.some(({ met, found }) => met === 'yes' && found)).toBe(true);
        // If a requirement had to be shown by a test, its evidence names a test that failed on the base.
        // Otherwise, it names none.
        expect(evidence.some((item) => item.includes('red on the base'))).toBe(proof === 'test');
      }
    },
  );

  it('settled on one signature for a function that two domains of the design had declared differently', () => {
    const { designed, tasks } = viewIn('played-team-domains');
    expect(designed?.contradictions).toMatchObject([
      { id: 'X1', by: 'code', a: 'store', b: 'cli' },
    ]);
    expect(designed?.architecture.interfaces[0]?.signature).toBe('addNote(file, text, tags)');
    expect(tasks.map(({ task }) => [task.id, task.depends_on])).toEqual([
      ['store-tags', []],
      ['cli-tag', ['store-tags']],
    ]);
  });

  it('wrote tests before the work, and these tests found a mistake in it', () => {
    const { checks, tests } = viewIn('played-team-trap');
    expect(tests.flatMap((fact) => fact.tests.map(({ state }) => state))).toEqual(['red', 'red']);
    const first = checks.find(({ kind, exit }) => kind === 'asked' && exit !== 0);
    expect(first?.counts).toMatchObject({ failed: 3 });
    expect(first?.counts?.failing).toContain('a day of 23 hours is a day');
    expect(checks.findLast(({ kind }) => kind === 'commit')?.exit).toBe(0);
  });
});

describe('the recorded run of a team with bad answers', () => {
  const view = viewIn('played-team-badly');

  it('delivers nothing and meets no requirement', () => {
    expect(view.delivered).toBeUndefined();
    expect(view.accepted).toEqual([]);
    expect(view.requirements.map(({ state }) => state)).toEqual(['unproved', 'unproved']);
  });

  it('records a task as stuck after four attempts whose models all reported success', () => {
    const [task] = view.tasks;
    const said = task?.attempts.map(({ reported }) => reported?.result?.status);
    expect(said).toEqual(['done', 'done', 'done', 'done']);
    const refused = task?.attempts.map(({ commits }) =>
      commits.flatMap((commit) => commit.refused.map(({ path, why }) => `${path} ${why}`.trim())),
    );
    expect(refused?.[0]).toEqual(['empty', 'test/cli.test.js outside', 'test/cli.test.js outside']);
    expect(refused?.[2]).toEqual(['empty', 'empty', 'empty']);
    expect(task?.attempts[1]?.judged[0]).toMatchObject({
      green: false,
      why: [
        'its new tests pass without the work, so they show nothing of R1',
        'its new tests pass without the work, so they show nothing of R2',
      ],
    });
    expect(task?.state).toBe('stuck');
  });

  it('has verifiers whose verdicts do not count, because their quotations are empty or not in the files', () => {
    expect(view.verdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass', 'pass']);
    expect(view.verdicts.flatMap(({ items }) => items).some(({ found }) => found)).toBe(false);
    expect(view.joint).toMatchObject([{ verdict: 'fail' }]);
    expect(view.tests).toMatchObject([{ tests: [{ state: 'vacuous' }] }]);
  });

  it('says in its report that the work is not finished, and why', async () => {
    const { facts } = readGolden('played-team-badly');
    const text = await formatReport(facts, await loadProtocolReport('team'));
    expect(text).toContain('**0 of 2 requirements met. Not finished.**');
    expect(text).toContain('not found there');
    expect(text).toContain('no file was changed');
    expect(text).toContain('- Nothing was brought home.');
  });
});

describe('the recorded run of a team whose plan had one task for the work of three', () => {
  const view = viewIn('played-team-split');
  const facts = filterKnownFacts(readGolden('played-team-split').facts);

  it('splits the task into smaller ones', () => {
    expect(listFactsOfType(facts, 'task.split')).toMatchObject([{ task: 'cur-all', by: 'T2' }]);
    const [money, receipt, rest] = view.tasks;
    expect(view.tasks.map(({ task: { id }, of, state }) => [id, of, state])).toEqual([
      ['cur-money', 'cur-all', 'done'],
      ['cur-receipt', 'cur-all', 'done'],
      ['cur-all', undefined, 'done'],
    ]);
    expect(rest?.attempts.map(({ reported }) => reported?.result?.status)).toEqual([
      'blocked',
      'done',
    ]);
    expect(receipt?.attempts[0]?.started.base).toBe(money?.commit);
    // The remaining task does not repeat what its pieces did.
    expect(rest?.attempts[1]?.commits.at(-1)?.files).toEqual(['CHANGELOG.md', 'src/cli.js']);
    expect(rest?.brief).toContain('Not any more: money.js, receipt.js and the tests');
  });

  it('lets the task also change a file that no task held and an existing test, which it turned out to need', () => {
    const given = view.amendments.filter(({ by, kind }) => by === 'T2' && kind !== 'brief');
    expect(given.map(({ kind, task, files }) => [kind, task, ...files])).toEqual([
      ['file', 'cur-all', 'CHANGELOG.md'],
      ['test-change', 'cur-all', 'test/cli.test.js'],
      ['decision', undefined],
      ['split', 'cur-all'],
    ]);
    expect(given[2]?.what).toContain('left out: ');
    const changed = view.tasks.flatMap(({ task }) => task.changes_tests.map(({ file }) => file));
    expect(changed).toContain('test/cli.test.js');
  });

  it('delivers its work with all tests passing', () => {
    const last = view.checks.findLast(({ kind }) => kind === 'joined');
    expect(last).toMatchObject({ exit: 0, counts: { passed: 17, failed: 0, skipped: 0 } });
    expect(view.delivered).toMatchObject({ how: 'branch', commit: view.joins.at(-1)?.commit });
    expect(view.verdicts.flatMap(({ probe }) => probe?.state ?? [])).toEqual(['passed']);
  });
});

describe('the recorded run of a team whose lead and verifiers answered badly', () => {
  const view = viewIn('played-team-split-badly');

  it('records that a file has no task because the lead named a task that does not exist', () => {
    const left = view.amendments.filter(({ by }) => by === 'code');
    expect(left.map(({ what, why }) => `${what} (${why})`)).toEqual([
      expect.stringMatching(/^still nobody’s: CHANGELOG\.md .*there is no task changelog-owner/),
      expect.stringMatching(/^still nobody’s: what becomes of .*why does not say so/),
    ]);
    const given = view.amendments.filter(({ by }) => by === 'T2');
    expect(given).toMatchObject([{ kind: 'test-change', task: 'cur-all' }]);
    // T2, the tier above the tasks, proposed to give package.json to a task. Nobody had asked T2 for this
    // file, so the proposal must not count.
    expect(view.tasks[0]?.files).not.toContain('package.json');
  });

  it('does not split the task if the only proposed part is the whole task again', () => {
    const { facts } = readGolden('played-team-split-badly');
    expect(listFactsOfType(filterKnownFacts(facts), 'task.split')).toEqual([]);
    expect(view.tasks.map(({ task }) => task.id)).toEqual(['cur-all']);
    const [task] = view.tasks;
    expect(task?.retried).toMatchObject([
      { by: 'T2', refused: [expect.stringContaining('over again')] },
    ]);
    expect(task?.brief).toBe(task?.task.brief);
    const asked = JSON.stringify(facts.filter(({ type }) => type === 'step.started'));
    expect(asked).toContain('correct-T2-again');
  });

  it('finishes the correct work, and asks a person whether unproved requirements may pass', () => {
    expect(view.tasks.map(({ state, attempts }) => [state, attempts.length])).toEqual([
      ['done', 2],
    ]);
    expect(view.requirements.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'R1 met',
      'R2 unproved',
      'R3 unproved',
    ]);
    const nodded = view.verdicts.filter(({ again }) => again).flatMap(({ items }) => items);
    expect(nodded.map(({ found }) => found)).toEqual([false, false, false, false]);
    expect([view.accepted, view.delivered]).toEqual([[], undefined]);
    const gates = listFactsOfType(
      filterKnownFacts(readGolden('played-team-split-badly').facts),
      'gate.opened',
    );
    const gate = gates.find(({ step }) => step.endsWith('/unshown'));
    expect(gate?.prompt).toContain(
      'R2: no; src/receipt.js: “the whole file”, which does not stand there',
    );
    expect(gate?.default).toBe('stop');
  });
});
