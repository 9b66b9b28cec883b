/**
 * Lookups of unknown names given as words and flags of commands. The commands read a database with a run of
 * every golden journal.
 */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demo } from '../../src/app/demo/demo.ts';
import { evaluate } from '../../src/app/evaluation/evaluate.ts';
import { readFlags } from '../../src/app/flags.ts';
import type { Invocation } from '../../src/app/invocation.ts';
import { diff } from '../../src/app/run/diff.ts';
import { fork } from '../../src/app/run/fork.ts';
import { replay } from '../../src/app/run/replay.ts';
import { ask, resume, resynthesize, retry } from '../../src/app/run/resume.ts';
import { COMMANDS, getCommand } from '../../src/cli/commands.ts';
import { completions } from '../../src/cli/completions/completions.ts';
import { config } from '../../src/cli/config/config.ts';
import { context } from '../../src/cli/context/context.ts';
import { exportRun } from '../../src/cli/export.ts';
import { presets } from '../../src/cli/presets/presets.ts';
import { remove } from '../../src/cli/rm.ts';
import { show } from '../../src/cli/show.ts';
import { Output } from '../../src/io/output.ts';
import { openKnowledge } from '../../src/knowledge/knowledge.ts';
import { agents } from '../../src/protocols/agents/desk/agents.ts';
import { agent } from '../../src/protocols/agents/desk/convene.ts';
import { board } from '../../src/protocols/board/desk/convene.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';
import { rounds } from '../../src/protocols/rounds/desk/convene.ts';
import { loadProtocol } from '../../src/protocols/table.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { GOLDEN_NAMES, importGolden, readGolden } from '../golden/journal.ts';
import { expectRefusal, type NamePlace } from './names.ts';

type Command = (call: Invocation) => Promise<number>;

/** An output that drops everything. */
class Silent extends Output {
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done();
  }
}

/** A home folder with nothing in it but a database. */
const HOME = mkdtempSync(join(tmpdir(), 'deliberate-names-'));
process.on('exit', removeHome);
const DB = join(HOME, 'runs.db');
const RUNS = recordGolden();

/**
 * Removes the temporary home folder in which `COMMAND_LOOKUPS` run commands. Tests call this function, since
 * their process may be ended without an `exit` event.
 */
export function removeHome(): void {
  rmSync(HOME, { recursive: true, force: true });
}

function recordGolden(): Record<(typeof GOLDEN_NAMES)[number], string> {
  const store = Store.open(DB, FACTS);
  const ids = GOLDEN_NAMES.map((name) => {
    const journal = importGolden(store, readGolden(name));
    journal.release();
    return [name, journal.run] as const;
  });
  store.close();
  const knowledge = openKnowledge(DB, process.cwd(), { create: true });
  knowledge.update({ paths: ['docs/keys.md'] });
  knowledge.close();
  return Object.fromEntries(ids) as Record<(typeof GOLDEN_NAMES)[number], string>;
}

function makeInvocation(words: readonly string[], flags: Record<string, unknown> = {}): Invocation {
  return {
    words,
    command: 'board',
    flags: readFlags({ quiet: true, db: DB, ...flags }),
    protocols: PROTOCOLS,
    env: { HOME, PATH: process.env.PATH },
    out: new Silent(1),
    err: new Silent(2),
    stdin: process.stdin,
  };
}

/**
 * Returns a lookup that expects a command to refuse the name.
 *
 * @param words Returns the words of the command for a name.
 * @param flags Returns the flags of the command for a name.
 */
function makeLookup(
  name: string,
  command: Command,
  words: (stranger: string) => readonly string[],
  flags: (stranger: string) => Record<string, unknown> = () => ({}),
  known?: NamePlace['known'],
): NamePlace {
  return {
    name,
    look: (stranger) =>
      expectRefusal(stranger, () => command(makeInvocation(words(stranger), flags(stranger)))),
    ...withoutUndefined({ known }),
  };
}

const makeFlagLookup = (
  name: string,
  command: Command,
  words: readonly string[],
  flags: (stranger: string) => Record<string, unknown>,
  known?: NamePlace['known'],
): NamePlace => makeLookup(name, command, () => words, flags, known);

/** Returns whether a name contains an equals sign: in `NAME=VALUE` it would be cut there. */
const hasEquals = (stranger: string): boolean => stranger.includes('=');

/** Returns whether a name may be the start of a run's id, or names a run in another way. */
const isRun = (stranger: string): boolean =>
  stranger === 'latest' || /^[0-9a-f-]*$/i.test(stranger);

/** Returns whether a name may name a run or is a question, which is asked of the latest run. */
const isRunOrQuestion = (stranger: string): boolean => isRun(stranger) || /[\s?]/.test(stranger);

const makeRunLookup = (
  name: string,
  command: Command,
  more: readonly string[] = [],
  known: NamePlace['known'] = isRun,
): NamePlace =>
  makeLookup(`run of ${name}`, command, (stranger) => [stranger, ...more], undefined, known);

/**
 * The places where a command looks up a name that it gets as an argument, in a flag or, as the name of a
 * protocol, from a log.
 */
export const COMMAND_LOOKUPS: readonly NamePlace[] = [
  { name: 'command', look: (stranger) => expectRefusal(stranger, () => getCommand(stranger)) },
  {
    name: 'protocol of a log',
    look: (stranger) => expectRefusal(stranger, () => loadProtocol(stranger)),
  },
  makeLookup('kind of presets', presets, (stranger) => [stranger]),
  makeLookup('preset to copy', presets, (stranger) => ['copy', `roles/${stranger}`]),
  makeLookup('kind to copy', presets, (stranger) => ['copy', `${stranger}/critic`]),
  makeFlagLookup('whose copy', presets, ['copy', 'roles/critic'], (to) => ({ to })),
  makeLookup('word of config', config, (stranger) => [stranger]),
  makeLookup('word of agents', agents, (stranger) => [stranger]),
  makeLookup('agent', agent, (stranger) => [stranger, 'Why?']),
  {
    name: 'shell to complete in',
    look: (stranger) =>
      assert.rejects(
        completions(COMMANDS, makeInvocation([stranger])),
        /name a shell: bash, zsh, fish or powershell/,
      ),
  },
  makeLookup('context', context, (stranger) => [stranger]),
  makeFlagLookup('context --index', context, ['search', 'x'], (index) => ({ index })),
  makeLookup('context rm', context, (stranger) => ['rm', stranger]),
  makeFlagLookup('eval --arms', evaluate, ['puzzles'], (arm) => ({ arms: `single,${arm}` })),
  makeFlagLookup('eval board:', evaluate, ['puzzles'], (name) => ({
    arms: `single,board:x${name}`,
    rehearse: true,
  })),
  makeFlagLookup('eval --primary', evaluate, ['puzzles'], (primary) => ({
    arms: 'single,vote,board',
    primary,
  })),
  makeLookup(
    'set',
    evaluate,
    (stranger) => [stranger],
    () => ({ arms: 'single,high' }),
  ),
  makeLookup('evaluation', evaluate, (stranger) => ['report', stranger]),
  makeLookup('example', demo, (stranger) => [stranger]),
  makeRunLookup('show', show),
  makeRunLookup('export', exportRun),
  makeRunLookup('rm', remove),
  makeRunLookup('resume', resume),
  makeRunLookup('ask', ask, ['And then?'], isRunOrQuestion),
  makeRunLookup('replay', replay),
  makeRunLookup('diff', diff, ['latest']),
  makeFlagLookup('board --preset', board, ['Why?'], (preset) => ({ preset })),
  makeFlagLookup(
    'board --seat',
    board,
    ['Why?'],
    (role) => ({ seat: [`${role}=ollama/m`] }),
    hasEquals,
  ),
  makeFlagLookup('board --seat model', board, ['Why?'], (model) => ({
    seat: [`critic=${model}/m`],
  })),
  makeFlagLookup('board --ask', board, [], (name) => ({ ask: name, rehearse: true })),
  makeFlagLookup('board --baseline', board, ['Why?'], (baseline) => ({ baseline })),
  makeFlagLookup('board --quorum', board, ['Why?'], (quorum) => ({ quorum })),
  makeFlagLookup('rounds --preset', rounds, ['Why?'], (preset) => ({ preset })),
  makeFlagLookup('rounds --cast', rounds, ['Why?'], (role) => ({ cast: [`${role}=Ada`] })),
  makeFlagLookup(
    'rounds --seat',
    rounds,
    ['Why?'],
    (role) => ({ seat: [`${role}=ollama/m`] }),
    hasEquals,
  ),
  makeFlagLookup('rounds --stress', rounds, ['Why?'], (role) => ({ stress: [`R1=${role}`] })),
  makeFlagLookup('retry --seat', retry, [RUNS.board], (seat) => ({ seat: [seat] }), hasEquals),
  makeFlagLookup('resynthesize --without', resynthesize, [RUNS.board], (seat) => ({
    without: [seat],
  })),
  makeFlagLookup('replay --from', replay, [RUNS.board], (from) => ({ from })),
  ...(['board', 'rounds', 'agents'] as const).flatMap((name) => [
    makeFlagLookup(`fork --at of ${name}`, fork, [RUNS[name]], (at) => ({
      at,
      set: ['seat.critic.model=rehearsal/panel'],
    })),
    makeFlagLookup(`fork --set of ${name}`, fork, [RUNS[name]], (wanted) => ({
      at: { board: 'seat', rounds: 'round-1', agents: 'desk' }[name],
      set: [`seat.${wanted}.model=rehearsal/panel`],
    })),
  ]),
  makeFlagLookup('fork --set name', fork, [RUNS.board], (name) => ({
    at: 'seat',
    set: [`${name}=m`],
  })),
  makeFlagLookup('fork --set claim', fork, [RUNS.rounds], (claim) => ({
    at: 'round-2',
    set: [`claim.${claim}.text=No.`],
  })),
];
