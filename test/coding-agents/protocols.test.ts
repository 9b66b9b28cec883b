/**
 * A coding agent in every protocol, by the real program: rounds, debates, plans, forks, evaluations, the
 * doctor, the queue.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCall } from '../../src/kernel/call.ts';
import { runDeliberate } from '../e2e/calls.ts';
import { factsIn } from '../e2e/deliberators.ts';
import { Terminal } from '../e2e/terminal.ts';
import { DOCUMENTS, formatClustersFile } from '../plan/harness.ts';
import { makeSpecialistFile } from '../plan/house.ts';
import { NO_BWRAP, needAll } from '../setup/needs.ts';
import { hasBwrap, makeEnvWithoutSandbox } from '../workshop/bench.ts';
import { STAND_IN_PROGRAM } from './orders.ts';
import { makeAgentPlace, writeFile } from './seat.ts';

const isHidden = /^\/(?:tmp|var\/tmp|run|dev)\//.test(import.meta.dirname);
needAll(hasBwrap && !isHidden, NO_BWRAP);

/** Makes a home whose configuration has an agent that carries out these orders. */
function makeHome(orders: readonly string[], isConfined = true) {
  const place = makeAgentPlace();
  const config = join(place.home, '.config/deliberate');
  mkdirSync(config, { recursive: true });
  const args = JSON.stringify([STAND_IN_PROGRAM, ...orders]);
  writeFileSync(
    join(config, 'config.yaml'),
    `agents:\n  stand-in:\n    command: ${JSON.stringify(process.execPath)}\n    args: ${args}\n`,
  );
  const db = join(place.home, 'runs.db');
  const own = { ...(isConfined ? place.env : makeEnvWithoutSandbox(place.env)), DELIBERATE_DB: db };
  const env = own as Record<string, string>;
  return { ...place, db, env };
}

const PROSE = JSON.stringify('Keep it. It is cheaper.\n\nAnswer: C\n');
const CALLED_IN = ['--call-in', 'security', '--call-in', 'ux'];
const QUESTION = 'Should we split the monolith?';

/**
 * Returns the arguments of a run of one round that an agent plays and verifies, with a folder to look into.
 */
function checkedRounds(folder: string): string[] {
  return [
    ...['rounds', '--model', 'stand-in/default', '--verifier', 'stand-in', '--look', folder],
    ...['--rounds', '1', '--stop-at', 'never', '--plain', QUESTION],
  ];
}

describe('A coding agent', () => {
  it('answers in rounds, a debate, a plan, a board and a fork, without a price', async () => {
    const { db, env, folder } = makeHome([`form ${PROSE}`]);
    const roles = ['security', 'ux'].map((role) => [role, makeSpecialistFile(role)] as const);
    for (const [role, text] of roles)
      writeFile(join(folder, `.deliberate/specialists/${role}.md`), text);
    const cards = { security: 'logins', ux: 'forms', data: 'tables' };
    writeFile(join(folder, '.deliberate/clusters.yaml'), formatClustersFile(cards));
    for (const [path, text] of Object.entries(DOCUMENTS)) writeFile(join(folder, path), text);
    const model = ['--model', 'stand-in/default', '--plain'];
    for (const args of [
      ['rounds', '--rounds', '1', '--verifier', 'stand-in', '--look', folder, QUESTION],
      ['debate', '--method', 'standard', QUESTION],
      ['plan', 'Let sessions last longer', '--rounds', '1', '--yes', ...CALLED_IN],
      ['board', '--synthesizer', 'stand-in', QUESTION],
      ['fork', 'latest', '--at', 'synthesis/1', '--set', 'synthesizer=stand-in/default'],
    ]) {
      const flags = args[0] === 'fork' ? ['--plain'] : model;
      const ended = await runDeliberate([...args, ...flags], { env, cwd: folder });
      expect([args[0], ended.code, ended.err]).toEqual([args[0], 0, expect.any(String)]);
      const calls = factsIn(db).filter(isCall);
      expect([args[0], calls.length > 0]).toEqual([args[0], true]);
      for (const fact of calls) expect(fact).toMatchObject({ type: 'call.completed', costUsd: 0 });
    }
    const { out } = await runDeliberate(['export', 'latest', '--format', 'markdown'], { env });
    expect(out).toContain('| on your plan |');
    expect(out).not.toContain('$0');
    // The console also names the subscription in place of a price, for the run, each phase and each call.
    const terminal = new Terminal(['open', 'latest'], { env, cwd: folder, columns: 120 });
    await terminal.until(/on your plan/);
    terminal.press('3');
    await terminal.until(/stand-in\/default .* on plan/);
    expect(await terminal.screen()).not.toContain('$0');
    terminal.press('q');
    await terminal.exited;
    const leftTemporaryFolders = readdirSync(join(env.XDG_STATE_HOME ?? '', 'deliberate/agents'));
    expect(leftTemporaryFolders).toEqual([]);
  });

  it('can be the verifier of rounds, and cites existing lines of a file', async () => {
    const { db, env, folder } = makeHome(['deliberate src/a.ts#L1']);
    writeFile(join(folder, 'src/a.ts'), 'export const split = false;\n');
    const { code, out, err } = await runDeliberate(checkedRounds(folder), { env, cwd: folder });
    expect(code, out + err).toBe(0);
    const facts = factsIn(db);
    const verdicts = facts.filter((fact) => fact.type === 'verification.recorded');
    const resting = verdicts.filter(({ result }) => result !== 'NOT_APPLICABLE');
    expect(resting.length).toBe(3);
    for (const verdict of resting) {
      const [id] = verdict.evidence_refs.at(-1)?.split('#') ?? [];
      expect(verdict.evidence_refs.at(-1)).toMatch(/^S-\d+#L1$/);
      const read = facts.find((fact) => fact.type === 'tool.called' && fact.id === id);
      expect(read).toMatchObject({ tool: 'read', text: 'export const split = false;' });
    }
    // No verdict is asked for a second time, because every cited line exists.
    const checks = facts.filter(isCall).filter(({ step }) => !step.includes('/predictions/'));
    expect(checks.filter(({ step }) => step.endsWith('/again'))).toEqual([]);
  });

  it('has its verdict discarded if the verdict cites lines that the file does not have', async () => {
    const { db, env, folder } = makeHome(['deliberate src/a.ts#L99']);
    writeFile(join(folder, 'src/a.ts'), 'export const split = false;\n');
    await runDeliberate(checkedRounds(folder), { env, cwd: folder });
    const verdicts = factsIn(db).filter((fact) => fact.type === 'verification.recorded');
    expect(verdicts.map(({ result }) => result)).toEqual(Array(4).fill('NOT_APPLICABLE'));
    const degraded = verdicts.flatMap((verdict) => verdict.degraded ?? []);
    expect(degraded).toEqual(Array(3).fill('src/a.ts#L99 does not exist'));
  });

  it('can take part in an evaluation, which warns that the agent’s own prompt and tools are compared too', async () => {
    const { env } = makeHome([`form ${PROSE}`]);
    const words = [
      'puzzles',
      '--arms',
      'single,board',
      '--size',
      '1',
      '--model',
      'stand-in/default',
    ];
    const said =
      'stand-in: a coding agent has a prompt and tools of its own, so this compares more';
    const plan = await runDeliberate(['eval', 'plan', ...words], { env });
    expect([plan.code, plan.out]).toEqual([0, expect.stringContaining(said)]);
    const ended = await runDeliberate(['eval', ...words, '--plain', '--format', 'json'], { env });
    expect([ended.code, ended.err]).toEqual([0, expect.stringContaining(said)]);
    expect(ended.out).toContain('"arm":"board"');
  });

  it('is counted in estimates and budgets with the long prompt that the agent itself adds to each call', async () => {
    const { env } = makeHome([`say ${PROSE}`]);
    const board = ['board', '--seat', 'critic=stand-in', '--synthesizer', 'stand-in', QUESTION];
    const estimate = await runDeliberate([...board, '--estimate', '--json'], { env });
    const { input, calls } = JSON.parse(estimate.out);
    expect(input.low).toBeGreaterThan(22_000 * calls.low);
    expect((await runDeliberate([...board, '--estimate'], { env })).out).toContain('on your plan');
    const stopped = await runDeliberate([...board, '--budget-tokens', '20000', '--plain'], { env });
    expect([stopped.code, stopped.err]).toEqual([130, expect.stringContaining('budget of 20000')]);
  });

  it('can be tested by the doctor with a named model of the agent', async () => {
    const { env } = makeHome(['models fast slow', 'form "A build server builds."']);
    const tried = await runDeliberate(['doctor', 'stand-in/slow', '--quick', '--yes'], { env });
    expect([tried.code, tried.out]).toEqual([0, expect.stringContaining('stand-in/slow')]);
    expect(tried.out).toContain('model slow');
    const none = await runDeliberate(['doctor', 'stand-in/slwo', '--quick', '--yes'], { env });
    expect([none.code, none.out]).toEqual([1, expect.stringContaining('has no model "slwo"')]);
  });

  it('runs without a sandbox in a background worker only if a person allowed that', async () => {
    const { db, env } = makeHome([`say ${PROSE}`], false);
    const board = ['board', '--seat', 'critic=stand-in', '--synthesizer', 'stand-in', '--no-vote'];
    const listCallTypes = async (...flags: string[]): Promise<(string | undefined)[]> => {
      await runDeliberate([...board, '--queue', '--yes', ...flags, QUESTION], { env });
      await runDeliberate(['worker', '--once'], { env });
      return factsIn(db)
        .filter(isCall)
        .map(({ type }) => type);
    };
    expect(await listCallTypes('--unsandboxed')).toEqual(['call.completed', 'call.completed']);
    expect(await listCallTypes()).not.toContain('call.completed');
  });
});
