/**
 * Makes the golden journals anew with the stand-in: `npx node test/golden/make.ts` makes all, `npx node
 * test/golden/make.ts rounds` some. With `--views` the script keeps the journals and writes only their
 * summaries again.
 *
 * This is needed when a prompt or a schema of a protocol was changed on purpose: the test then names the
 * stale step. A changed fact is no reason, since older journals must stay readable (`UPGRADES`).
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunStopped } from '../../src/kernel/errors.ts';
import type { Request } from '../../src/kernel/facts.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { type Ending, type Opening, Session } from '../../src/kernel/session.ts';
import { createModels } from '../../src/models/gateway.ts';
import type { AgentConfig } from '../../src/protocols/agents/agent-run.ts';
import { agents } from '../../src/protocols/agents/agents.ts';
import type { Links } from '../../src/protocols/agents/graph.ts';
import { makeAblationRequest } from '../../src/protocols/board/ablation.ts';
import { type BoardConfig, board } from '../../src/protocols/board/board.ts';
import { createRehearsalProvider } from '../../src/protocols/rehearsal/provider.ts';
import { makeRoundsSeats } from '../../src/protocols/rounds/cast.ts';
import { LATEST, type RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { rounds } from '../../src/protocols/rounds/rounds.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { type Fact, filterKnownFacts } from '../every-fact.ts';
import { fileOf, type Golden, MADE_NAMES, readGolden, summarizeLog } from './journal.ts';
import { normalizeFacts, stepsIn, toJsonLines } from './kept.ts';

const MODEL = 'rehearsal/panel';
const attachments = [
  { name: 'plan.md', text: 'Split the ledger first.\nThen the login.\nShip in May.\n' },
];

/** A document with sentences of which controls can be made. */
const PLAN = `# Plan

The ledger is split from the monolith first, and nothing else moves before it.
At most 40 requests a second are let through while both of them run.
Nobody has said who is on call on Sundays.
`;

const boardConfig: BoardConfig = { synthesizer: MODEL, open: false, seed: 7, attachments };
const roundsConfig: RoundsConfig = {
  verifier: MODEL,
  rounds: 3,
  stress: { 2: 'observer' },
  driftEvery: 3,
  stopAt: 'never',
  respond: 'report',
  seed: 7,
  ...LATEST,
  attachments: [{ name: 'plan.md', text: PLAN }],
};

/** Agents that work together in every possible way, one within the other. */
const GRAPH: Readonly<Record<string, Links>> = {
  desk: { router: { destinations: ['review'], mayAnswer: false } },
  review: { advisors: { agents: ['law', 'risk'], required: 'any' }, handoff: 'crew' },
  law: {},
  risk: { handoff: 'clerk' },
  clerk: {},
  crew: {
    team: {
      members: ['first', 'second'],
      supervisor: 'crew',
      memberMaxTurns: 3,
      supervisorMaxTurns: 3,
      terminationMode: 'coordinatorDecides',
      maxRounds: 3,
    },
  },
  first: {},
  second: {},
};

/** What is run for a golden journal. */
interface Plan {
  readonly protocol: Protocol;
  readonly opening: Opening;
  /** Makes the requests of later attempts from the facts so far, one for each attempt. */
  readonly later?: readonly ((facts: readonly Fact[]) => Request)[];
}

const RUNS: Readonly<Record<(typeof MADE_NAMES)[number], Plan>> = {
  board: {
    protocol: board as Protocol,
    opening: {
      question: 'Should we split the monolith?',
      seats: ['advocate', 'critic', 'analyst'].map((role) => ({
        id: role,
        role,
        title: role,
        model: MODEL,
        brief: `You are the ${role} of this board.`,
      })),
      config: boardConfig,
    },
  },
  attempts: {
    protocol: board as Protocol,
    opening: {
      question: 'Should we split the monolith?',
      seats: ['advocate', 'critic', 'analyst'].map((role) => ({
        id: role,
        role,
        title: role,
        model: MODEL,
        brief: `You are the ${role} of this board.`,
      })),
      config: {
        ...boardConfig,
        attachments: [],
        vote: true,
        ownVote: true,
        quorum: 3,
        patienceMs: 60_000,
        seatTimeoutMs: 60_000,
        baselines: [{ kind: 'single' }, { kind: 'vote', samples: 2 }],
        baselineModel: MODEL,
      } satisfies BoardConfig,
    },
    later: [
      () => ({ kind: 'resynthesize', version: 2, note: 'Be brief.', without: ['critic'] }),
      (facts) => makeAblationRequest(facts, 1),
      () => ({ kind: 'follow-up', number: 2, question: 'And who should begin?' }),
    ],
  },
  agents: {
    protocol: agents as Protocol,
    opening: {
      question: 'Should we split the monolith?',
      seats: Object.keys(GRAPH).map((id) => ({
        id,
        role: id,
        title: id,
        model: MODEL,
        brief: `You are the ${id} of this company.`,
      })),
      config: {
        root: 'desk',
        agents: Object.fromEntries(
          Object.entries(GRAPH).map(([id, links]) => [id, { description: `does ${id}`, ...links }]),
        ),
        seed: 7,
        contextTokens: 24_000,
      } satisfies AgentConfig,
    },
  },
  rounds: {
    protocol: rounds as Protocol,
    opening: {
      question: 'Should we split the monolith?',
      seats: makeRoundsSeats(
        { action: 'engineer', guardian: 'keeper', observer: 'operator', critic: 'red team' },
        { action: MODEL, guardian: MODEL, observer: MODEL, critic: MODEL },
      ),
      config: roundsConfig,
    },
  },
};

async function makeGolden(name: (typeof MADE_NAMES)[number]): Promise<Golden> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-golden-'));
  const store = Store.open(join(folder, 'runs.db'), FACTS);
  try {
    const { protocol, opening, later = [] } = RUNS[name];
    const journal = store.create(name);
    const session = new Session({
      journal,
      protocol,
      models: createModels({ env: {}, more: [createRehearsalProvider({ speed: 1_000 })] }),
      answer: () => Promise.reject(new RunStopped('gate')),
    });
    const requireDone = ({ status, reason }: Ending): void => {
      if (status !== 'done') throw new Error(`${name} is ${status}: ${reason}`);
    };
    requireDone(await session.begin(opening));
    for (const request of later)
      requireDone(await session.resume(request(filterKnownFacts(journal.facts()))));
    return { facts: normalizeFacts(filterKnownFacts(journal.facts())), steps: stepsIn(store.file) };
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
for (const name of MADE_NAMES.filter(
  (candidate) => named.length === 0 || named.includes(candidate),
)) {
  if (!process.argv.includes('--views')) {
    const { facts, steps } = await makeGolden(name);
    writeFileSync(fileOf(name, 'jsonl'), toJsonLines(facts));
    writeFileSync(fileOf(name, 'steps.jsonl'), toJsonLines(steps));
  }
  writeFileSync(fileOf(name, 'view.txt'), summarizeLog(readGolden(name).facts));
}
