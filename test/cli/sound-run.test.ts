/** An exported run is judged by its words as well: what later commands would stumble over is refused. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DeliberateError } from '../../src/kernel/errors.ts';
import { ARCHIVE } from '../../src/protocols/registry/archive.ts';
import { checkRun } from '../../src/protocols/registry/check-run.ts';
import { type Archive, readArchive } from '../../src/store/archive.ts';

const ID = '0190aaaa-0000-7000-8000-000000000000';

type Json = Record<string, unknown>;

/** Reads the exported run of a golden recording. */
function readRecording(name: string): Archive {
  const text = readFileSync(new URL(`../golden/${name}.jsonl`, import.meta.url), 'utf8');
  const facts = text
    .trim()
    .split('\n')
    .map((line): Json => ({ ...(JSON.parse(line) as Json), run: ID }));
  const json = {
    format: 'deliberate-run',
    v: 2,
    program: '1',
    run: ID,
    protocol: facts[0]?.protocol,
    createdAt: '2026-01-01T00:00:00.000Z',
    parent: null,
    status: 'done',
    rehearsal: true,
    steps: [],
    facts,
  };
  return readArchive(JSON.stringify(json), 'f', ARCHIVE);
}

async function saidOf(archive: Archive): Promise<string> {
  try {
    await checkRun(archive, 'f');
    return '';
  } catch (error) {
    if (error instanceof DeliberateError && error.code === 'bad-file') return error.message;
    throw error;
  }
}

/** Returns the run with its first fact of a type changed. */
function changeFact(run: Archive, type: string, more: (fact: Json) => Json): Archive {
  const index = run.facts.findIndex((fact) => fact.type === type);
  const fact = run.facts[index];
  if (fact === undefined) throw new Error(`the run has no ${type}`);
  return { ...run, facts: run.facts.with(index, { ...fact, ...more(fact) }) };
}

const changeStart = (run: Archive, more: (fact: Json) => Json): Archive =>
  changeFact(run, 'run.started', more);
const changeConfig = (run: Archive, more: Json): Archive =>
  changeStart(run, (fact) => ({ config: { ...(fact.config as Json), ...more } }));
const changeSeat = (run: Archive, more: Json): Archive =>
  changeStart(run, (fact) => ({
    seats: (fact.seats as Json[]).with(1, { ...(fact.seats as Json[])[1], ...more }),
  }));
const addStep = (run: Archive, key: string): Archive => ({
  ...run,
  steps: [{ key, hash: '', result: null, firstSeq: 0, lastSeq: 0 }],
});

const board = readRecording('board');
const rounds = readRecording('rounds');
const agents = readRecording('agents');

describe('A recorded run that is kept with the tests', () => {
  it.each(['board', 'rounds', 'agents', 'attempts'])(
    'is accepted as an exported run: %s',
    async (name) => {
      expect(await saidOf(readRecording(name))).toBe('');
    },
  );
});

/** Names that are empty, invisible, of several lines or too long. */
const STRANGE = [
  ...['', ' ', 'a\u0000', 'a\u200bb', '\u3164', 'a\ufe0f', '\ud800', 'a\nb', 'x'.repeat(400_001)],
];

describe('An invalid name in an exported run', () => {
  it.each(STRANGE.map((name) => [name.slice(0, 8), name]))(
    'is refused as the name of a seat, a role, a step, a claim or an agent: %j',
    async (_shown, name) => {
      expect(await saidOf(changeSeat(board, { id: name }))).toMatch(
        /^f: facts\[0\]\.seats\[1\]\.id: /,
      );
      expect(await saidOf(changeSeat(board, { role: name }))).toMatch(
        /^f: facts\[0\]\.seats\[1\]\.role: /,
      );
      expect(await saidOf(addStep(board, name))).toMatch(/^f: steps\[0\]\.key: /);
      for (const field of ['step', 'seat'])
        expect(
          await saidOf(changeFact(board, 'call.completed', () => ({ [field]: name }))),
        ).toMatch(new RegExp(`^f: facts\\[\\d+\\]\\.${field}: `));
      expect(await saidOf(changeFact(rounds, 'claim.raised', () => ({ id: name })))).toMatch(
        /\.id: /,
      );
      expect(await saidOf(changeFact(rounds, 'claim.moved', () => ({ claim: name })))).toMatch(
        /\.claim: /,
      );
      expect(await saidOf(changeFact(agents, 'agent.started', () => ({ path: name })))).toMatch(
        /\.path: /,
      );
      expect(await saidOf(changeConfig(agents, { root: name }))).toMatch(
        /^f: facts\[0\]\.config\.root: /,
      );
    },
  );
});

describe('A fact of a person’s own protocol', () => {
  it('may contain any text, even in fields that hold only names in built-in protocols', async () => {
    const { facts, ...run } = board;
    const end = facts.at(-1) as Json;
    const own = { type: 'mine/objection', v: 1, claim: 'Two\nlines', id: '', path: 'a\u200b' };
    const all = [...facts, { ...end, ...own, seq: facts.length + 1 }] as Archive['facts'];
    expect(await saidOf({ ...run, facts: all })).toBe('');
  });
});

/** Settings and seats with which no command could continue, and the message about each. */
const BAD: readonly (readonly [what: string, run: Archive, says: RegExp])[] = [
  [
    'no settings',
    changeStart(board, () => ({ config: {} })),
    /^f: facts\[0\]\.config\.synthesizer: /,
  ],
  ['settings of another kind', changeConfig(board, { attachments: 'x' }), /config\.attachments: /],
  [
    'an attachment without text',
    changeConfig(board, { attachments: [{ name: 'a' }] }),
    /\[0\]\.text: /,
  ],
  ['a quorum of none', changeConfig(board, { quorum: 0 }), /config\.quorum: /],
  [
    'a synthesizer of nowhere',
    changeConfig(board, { synthesizer: 'x' }),
    /config\.synthesizer: no model/,
  ],
  ['a stress for nobody', changeConfig(rounds, { stress: { 2: 'king' } }), /config\.stress\.2: /],
  ['no rounds', changeConfig(rounds, { rounds: -1 }), /config\.rounds: /],
  ['a verifier of nowhere', changeConfig(rounds, { verifier: '/x' }), /config\.verifier: no model/],
  ['agents that are a list', changeConfig(agents, { agents: [] }), /config\.agents: /],
  [
    'an agent that is not there',
    changeConfig(agents, { root: 'nobody' }),
    /there is no agent "nobody"/,
  ],
  [
    'an agent linked to nobody',
    changeConfig(agents, { agents: { desk: { description: '', handoff: 'nobody' } } }),
    /config\.agents\.desk: there is no agent "nobody"/,
  ],
  [
    'an agent without a seat',
    changeStart(agents, ({ seats }) => ({ seats: (seats as Json[]).slice(1) })),
    /agent "desk" has no seat/,
  ],
  ['a model of nowhere', changeSeat(board, { model: 'gpt' }), /seats\[1\]\.model: no model: "gpt"/],
  [
    'a model without a name',
    changeSeat(board, { model: 'ollama/' }),
    /seats\[1\]\.model: no model/,
  ],
  ['a seat twice', changeSeat(board, { id: 'advocate' }), /seats\[1\]\.id: two seats/],
  ['a seat that rounds have not', changeSeat(rounds, { id: 'king' }), /rounds have no seat "king"/],
  [
    'no seats',
    changeStart(board, () => ({ seats: [] })),
    /facts\[0\]\.seats: the list of seats is empty/,
  ],
  ['another protocol', { ...board, protocol: 'chess' }, /^f: protocol: .*"chess"/],
  ['a protocol that objects know', { ...board, protocol: 'constructor' }, /^f: protocol: /],
  [
    'a request for no model',
    changeStart(board, () => ({ request: { kind: 'retry', seats: ['critic'], model: 'x' } })),
    /facts\[0\]\.request\.model: no model/,
  ],
];

describe('An exported run with wrong contents', () => {
  it.each(BAD)('is refused with the place of the mistake: %s', async (_what, run, says) => {
    expect(await saidOf(run)).toMatch(says);
  });
});
