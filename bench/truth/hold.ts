/** Runs one simulated deliberation through the kernel, and has some of its claims tested. */

import {
  type ModelRequest,
  type ModelResult,
  type Models,
  NO_USAGE,
} from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { estimatePrompt, estimateTokens } from '../../src/kernel/tokens.ts';
import { Chance } from '../../src/protocols/rehearsal/chance.ts';
import { makeRoundsSeats } from '../../src/protocols/rounds/cast.ts';
import type { RoundsView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import { LATEST, type RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { getTestableClaim, makeTestFacts } from '../../src/protocols/rounds/desk/test.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { convertToRecords } from '../../src/protocols/rounds/records/of-run.ts';
import type { Records } from '../../src/protocols/rounds/records/records.ts';
import { ROLES } from '../../src/protocols/rounds/records/types.ts';
import { getRecordsPlan, rounds } from '../../src/protocols/rounds/rounds.ts';
import { getDefaultDriftInterval, getDefaultStress } from '../../src/protocols/rounds/schedule.ts';
import { answerTo, talkTo } from './answers.ts';
import type { Document } from './document.ts';
import { MemoryJournal } from './journal.ts';
import type { Mind, Panel } from './minds.ts';
import { World } from './world.ts';

/** A simulated deliberation in rounds that has ended. */
export interface SimulatedRun {
  readonly document: Document;
  readonly panel: Panel;
  readonly view: RoundsView;
  readonly records: Records;
  /** Estimated tokens, without schemas. */
  readonly tokens: { readonly input: number; readonly output: number };
  /** Faults of the measurement: why the run did not end properly, and answers of a wrong form. */
  readonly faults: readonly string[];
}

/** How a deliberation in rounds is simulated. */
export interface SimulationOptions {
  readonly document: Document;
  readonly panel: Panel;
  readonly seed: number;
  readonly rounds: number;
}

/**
 * Runs one simulated deliberation in rounds about a document. Before the fifth round, or the last if there are
 * fewer, up to four claims are tested by simulated commands.
 */
export async function simulateRun(holding: SimulationOptions): Promise<SimulatedRun> {
  const { document, panel, seed } = holding;
  const config = configOf(holding);
  const { question } = document;
  const journal = new MemoryJournal();
  const world = new World(document, seed, journal);
  const models = new Minds(world, panel);
  const session = new Session({
    journal,
    models,
    protocol: rounds as Protocol,
    answer: () => Promise.reject(new Error('nobody is asked')),
  });
  // Stop before a round, and test claims between two attempts, as a person does with `deliberate test`.
  models.pauseBefore(Math.min(config.rounds, TESTED_BEFORE), () => session.stop());
  const [usual, intruder] = specsOf(panel);
  const seats = makeRoundsSeats(
    { action: 'engineer', guardian: 'keeper', observer: 'operator', critic: 'red team' },
    { action: usual, guardian: usual, observer: usual, critic: usual },
  ).map((seat, index) => (index === seed % ROLES.length ? { ...seat, model: intruder } : seat));
  let { status, reason } = await session.begin({ question, seats, config });
  if (status === 'stopped') {
    runTests(world);
    ({ status, reason } = await session.resume({ kind: 'convene' }));
  }
  return {
    document,
    panel,
    view: journal.view,
    records: convertToRecords(roundsOf(journal.facts()), getRecordsPlan(config, question)),
    tokens: models.tokens,
    faults: [...models.faults, ...(status === 'done' ? [] : [`it is ${status}: ${reason}`])],
  };
}

function configOf({ document, panel, seed, rounds: count }: SimulationOptions): RoundsConfig {
  return {
    verifier: specsOf(panel)[0],
    rounds: count,
    stress: Object.fromEntries(Object.entries(getDefaultStress(count))),
    driftEvery: getDefaultDriftInterval(count),
    stopAt: 'never',
    respond: 'report',
    seed,
    attachments: [{ name: document.name, text: document.text }],
    ...LATEST,
  };
}

/** Returns the models of most seats and the verifier, and of the seat with an intruder. */
function specsOf({ mind, intruder = mind }: Panel): readonly [string, string] {
  return [`mind/${mind.name}`, `mind/${intruder.name}`];
}

/** A gateway whose models answer at once, as the simulated ones do. */
class Minds implements Models {
  readonly faults: string[] = [];
  readonly tokens = { input: 0, output: 0 };
  readonly #world: World;
  readonly #minds: ReadonlyMap<string, Mind>;
  readonly #turns = new Map<string, number>();
  #pause: { readonly round: number; readonly stop: () => void } | undefined;

  constructor(world: World, { mind, intruder = mind }: Panel) {
    this.#world = world;
    this.#minds = new Map([mind, intruder].map((mind) => [`mind/${mind.name}`, mind]));
  }

  /** Stops the attempt once, when this round asks for its proposal. */
  pauseBefore(round: number, stop: () => void): void {
    this.#pause = { round, stop };
  }

  async call(request: ModelRequest): Promise<ModelResult> {
    const { seat, messages, schema, task, about } = request;
    if (task === 'rounds/proposal' && about?.round === this.#pause?.round) {
      this.#pause?.stop();
      this.#pause = undefined;
      return { status: 'stopped', ...SPOKEN, text: '' };
    }
    const mind = this.#minds.get(seat.model);
    if (mind === undefined) throw new Error(`nobody is called ${seat.model}`);
    const turn = this.#turns.get(task) ?? 0;
    this.#turns.set(task, turn + 1);
    const value = schema === undefined ? undefined : answerTo(mind, this.#world, request, turn);
    const read = schema?.safeParse(value);
    const text =
      read === undefined
        ? talkTo(mind, this.#world, request)
        : JSON.stringify(read.success ? read.data : value);
    const usage = {
      ...NO_USAGE,
      input: estimatePrompt(seat.brief, messages),
      output: estimateTokens(text),
    };
    this.tokens.input += usage.input;
    this.tokens.output += usage.output;
    if (read?.success !== false)
      return { status: 'done', ...SPOKEN, text, usage, ...(read && { value: read.data }) };
    const [issue] = read.error.issues;
    const message = `${task}: ${issue?.path.join('.')}: ${issue?.message}`;
    // An honest simulated model's answers always fit the schema, so a refused one is a fault of this benchmark.
    if (mind.habit === 'honest') this.faults.push(message);
    return { status: 'failed', ...SPOKEN, text, usage, code: 'invalid-output', message };
  }

  price(): number {
    return 0;
  }
}

const SPOKEN = { thinking: '', usage: NO_USAGE, latencyMs: 1, attempts: 1, notes: [] } as const;

/** The round before which claims are tested; in shorter runs the last one. */
const TESTED_BEFORE = 5;
/** How many claims are tested at a time. */
const MOST_TESTS = 4;

/** The exit code of a shell that does not find the command. */
const COMMAND_MISSING = 127;

/** Runs the commands that decide claims. Some of them time out or are missing; these decide nothing. */
function runTests(world: World): void {
  const { journal, seed } = world;
  const due = Object.values(journal.view.claims).filter(
    ({ text, status }) => status !== 'superseded' && world.statement(text)?.outcome !== undefined,
  );
  for (const { id, text } of due.slice(0, MOST_TESTS)) {
    const chance = new Chance('test', seed, text);
    const confirmsOn = chance.pick<'success' | 'failure'>(['success', 'failure']);
    const shows = world.truthOf(text).beyond === 'true';
    const ended = chance.next() < 0.8;
    const timedOut = !ended && chance.next() < 0.5;
    const exit = timedOut
      ? null
      : !ended
        ? COMMAND_MISSING
        : shows === (confirmsOn === 'success')
          ? 0
          : 1;
    const facts = journal.facts();
    const view = roundsOf(facts);
    const command = world.statement(text)?.test ?? '';
    journal.note(
      makeTestFacts(
        view,
        {
          claim: getTestableClaim(facts, view, id),
          command,
          kept: command,
          confirmsOn,
          cwd: '/work',
          timeoutMs: 60_000,
          pass: [],
          environment: [],
        },
        {
          exit,
          timedOut,
          signal: timedOut ? 'SIGTERM' : null,
          durationMs: 1_000,
          sha256: '0'.repeat(64),
          bytes: 3,
          output: 'end',
          concealed: 0,
          cutBytes: 0,
        },
        'person',
      ),
    );
  }
}
