/**
 * Runs with any valid name can be exported, imported and forked; invalid names are refused at start and
 * import.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { traceText } from '../../src/app/run/trace.ts';
import { seatsFor } from '../../src/app/settings/panel.ts';
import { DeliberateError, UsageError } from '../../src/kernel/errors.ts';
import type { Seat } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { formatReport } from '../../src/plain/report.ts';
import { agents } from '../../src/protocols/agents/agents.ts';
import { board } from '../../src/protocols/board/board.ts';
import { prepareFork } from '../../src/protocols/common/past.ts';
import { ARCHIVE, archiveText } from '../../src/protocols/registry/archive.ts';
import { checkRun } from '../../src/protocols/registry/check-run.ts';
import { reportPage } from '../../src/protocols/registry/report-page.ts';
import { loadProtocolReport } from '../../src/protocols/table.ts';
import { readArchive } from '../../src/store/archive.ts';
import type { Store } from '../../src/store/store.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { anyCharacter } from '../any-character.ts';
import { STRANGERS } from '../fuzz/names.ts';
import { stopAtGate, temporaryStore } from '../kernel/desk.ts';
import { makeSeat } from '../kernel/scripted-models.ts';
import { makePanel } from '../protocols/board-desk.ts';

interface Opening {
  readonly protocol: Protocol;
  readonly seats: readonly Seat[];
  readonly config: Record<string, unknown>;
}

const boardOf = (name: string): Opening => ({
  protocol: board as Protocol,
  seats: [makeSeat(name), makeSeat('critic', { role: name })],
  config: { synthesizer: 'test/chair', open: false, seed: 7, attachments: [] },
});

const agentsOf = (name: string): Opening => ({
  protocol: agents as Protocol,
  seats: [makeSeat(name), makeSeat('last')],
  config: {
    root: name,
    seed: 7,
    contextTokens: 24_000,
    agents: Object.fromEntries([
      [name, { description: 'begins', handoff: 'last' }],
      ['last', { description: 'ends' }],
    ]),
  },
});

async function holdRun(store: Store, { protocol, seats, config }: Opening, parent?: string) {
  const journal = store.create(protocol.name, parent ?? null);
  const session = new Session({ journal, models: makePanel(), protocol, answer: stopAtGate });
  try {
    await session.begin({
      question: 'Should we?',
      seats,
      config,
      ...withoutUndefined({ parent }),
    });
  } finally {
    await session.close();
  }
  return journal.run;
}

async function importInto(store: Store, text: string): Promise<void> {
  const archive = readArchive(text, 'run.json', ARCHIVE);
  await checkRun(archive, 'run.json');
  store.restore(archive);
}

/** Exports a run and imports it into a new store. Checks that the new store exports the same text. */
async function moveRun(from: Store, id: string): Promise<Store> {
  const to = temporaryStore();
  const text = await archiveText(from, id);
  await importInto(to, text);
  expect(await archiveText(to, id)).toBe(text);
  return to;
}

/** Checks that a run can be imported, shown in every format and forked, and that the fork can be imported. */
async function checkSurvival(opening: Opening): Promise<void> {
  const here = temporaryStore();
  const id = await holdRun(here, opening);
  expect(here.summary(id).status).toBe('done');
  const there = await moveRun(here, id);
  const facts = there.facts(id);
  const view = viewOf(facts);
  const { protocol } = opening;
  expect(formatReport(facts, await loadProtocolReport(protocol.name))).toContain('Should we?');
  expect(await reportPage(protocol.name, facts)).toContain('</html>');
  expect(JSON.parse(traceText(facts, {}, {}))).toHaveProperty('resourceSpans');
  const [last] = view.seats.slice(-1);
  const step = Object.values(view.calls).find(({ seat: id }) => id.endsWith(last?.id ?? ''))?.step;
  const change = { kind: 'seat', seat: last?.id ?? '', value: 'test/other' } as const;
  const forked = (protocol.fork ?? prepareFork)({ view, facts }, step ?? '', [change]);
  const fork = await holdRun(there, { ...opening, ...forked, seats: [...forked.seats] }, id);
  expect(Object.values(viewOf(there.facts(fork)).calls).some((call) => call.inherited)).toBe(true);
  await moveRun(there, fork);
}

const NAMES = [
  ...['constructor', '__proto__', 'toString', 'hasOwnProperty', 'prototype', 'then'],
  ...[
    'x'.repeat(5_000),
    'ж'.repeat(10_000),
    'עברית',
    'مراجع',
    '批評家',
    '👩‍👩‍👧',
    '❤️',
    'a/b',
    'a b',
  ],
];

it.each(NAMES.map((name) => [name.slice(0, 20), name]))(
  'a board with a seat called %s is unchanged by export and import, and can be forked',
  (_shown, name) => checkSurvival(boardOf(name)),
);

it.each(NAMES.filter((name) => name !== '__proto__').map((name) => [name.slice(0, 20), name]))(
  'a run of agents with an agent called %s is unchanged by export and import, and can be forked',
  (_shown, name) => checkSurvival(agentsOf(name)),
);

it('the start of a run and the import of a run refuse the same names of seats', async () => {
  const store = temporaryStore();
  const known = await archiveText(store, await holdRun(store, boardOf('seat')));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.constantFrom(...STRANGERS, ...NAMES, 'x'.repeat(10_001)),
        fc.string({ unit: anyCharacter, maxLength: 12 }),
      ),
      async (name) => {
        const [here, there] = [temporaryStore(), temporaryStore()];
        const begun = await holdRun(here, boardOf(name)).catch((error: unknown) => error);
        const archive = JSON.parse(known) as { facts: { seats: unknown }[] };
        if (archive.facts[0] !== undefined) archive.facts[0].seats = boardOf(name).seats;
        const read = await importInto(there, JSON.stringify(archive)).catch((error) => error);
        if (typeof begun === 'string') {
          expect(read).toBeUndefined();
          await moveRun(here, begun);
        } else {
          expect(begun).toBeInstanceOf(UsageError);
          expect(read).toBeInstanceOf(DeliberateError);
          expect(String(read)).toMatch(/facts\[0\]\.seats\[0\]\.id: (the|a) name .*(empty|char)/);
        }
      },
    ),
    { numRuns: 60 },
  );
});

it('seats get unique ids even if a role has the name of a numbered seat', () => {
  const role = { name: 'R', brief: 'b' } as never;
  const roles = new Map([
    ['critic', role],
    ['critic-2', role],
  ]);
  const places = ['critic', 'critic', 'critic-2', 'critic-2'].map((name) => ({ role: name }));
  expect(seatsFor(places, roles, ['t/m']).map(({ id }) => id)).toEqual([
    'critic',
    'critic-3',
    'critic-2',
    'critic-2-2',
  ]);
});
