/**
 * Measures what rounds cost: input tokens compared with every seat reading everything, how they grow with the
 * number of rounds, how much of them a prompt cache can hold, and what rounds add to the time of their calls.
 * Tokens are estimated from characters; schemas are not counted.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelRequest, Models } from '../src/kernel/model.ts';
import { estimatePrompt, estimateTokens } from '../src/kernel/tokens.ts';
import type { RoundsConfig } from '../src/protocols/rounds/config.ts';
import { FACTS } from '../src/protocols/vocabulary.ts';
import { Store } from '../src/store/store.ts';
import type { Fact } from '../test/every-fact.ts';
import { makeRehearsalModels, rehearseRun } from '../test/protocols/rehearse.ts';
import { atLeast, atMost, makeRow, type Row } from './measure.ts';

const MODEL = 'rehearsal/panel';
const SEED = 11;
/**
 * The stress rounds of an audit, and as many for the second thirteen rounds: such rounds cost less, so both
 * halves must have the same number.
 */
const AUDIT: RoundsConfig['stress'] = { 5: 'critic', 10: 'guardian', 12: 'action', 13: 'observer' };
const TWICE = { ...AUDIT, 18: 'critic', 23: 'guardian', 25: 'action', 26: 'observer' } as const;
/** Ten times the stand-in's 50 tokens per second: 8 rounds take about a minute. */
const SPEED = 10;

/** Measures the tokens and time of rounds. Returns rows for the table of `npm run bench`. */
export async function benchRounds(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  const store = Store.open(join(folder, 'bench.db'), FACTS);
  try {
    const thirteen = await recordCalls(store, 13);
    const twice = await recordCalls(store, 26, TWICE);
    const real = inputOf(thirteen);
    const { facts } = await rehearseRun(store, MODEL, 8, SEED, {}, makeRehearsalModels(SPEED));
    const oneModel = () => MODEL;
    const perSeat = ({ request }: Asked) => request.seat.id;
    return [
      atMost(
        'rounds, 13: input over everybody reading everything',
        real / countNaiveTokens(thirteen),
        0.25,
      ),
      makeRow('rounds: input tokens of 26 rounds over 13', inputOf(twice) / real, 2.2),
      atLeast('rounds, 13: input in a prefix sent before', prefixShare(thirteen, oneModel), 0.8),
      makeFigureRow('… a model for each seat', prefixShare(thirteen, perSeat)),
      makeFigureRow('… in calls that had ended', prefixShare(thirteen, oneModel, true)),
      makeRow(
        'rounds, 8: wall over critical path',
        wallOf(facts) / criticalPath(facts),
        1.03,
        '',
        3,
      ),
    ];
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A call as the gateway received it. */
interface Asked {
  readonly request: ModelRequest;
  readonly prompt: string;
  /** How many characters had been said in the run before this call. */
  readonly before: number;
  /** How many calls had ended when this call began. */
  readonly after: number;
  /** The position of this call in the order in which calls ended, from 1; 0 while it is running. */
  ended: number;
}

async function recordCalls(
  store: Store,
  rounds: number,
  stress: RoundsConfig['stress'] = AUDIT,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  let said = 0;
  let ended = 0;
  const models = makeRehearsalModels();
  const recorder: Models = {
    price: (model, usage) => models.price(model, usage),
    call: async (request, context) => {
      const call = { request, prompt: promptOf(request), before: said, after: ended, ended: 0 };
      asked.push(call);
      const result = await models.call(request, context);
      said += estimateTokens(result.text);
      call.ended = ++ended;
      return result;
    },
  };
  await rehearseRun(store, MODEL, rounds, SEED, { stress }, recorder);
  return asked;
}

function promptOf({ seat, messages }: ModelRequest): string {
  return [seat.brief, ...messages.flatMap(({ parts }) => parts.map(({ text }) => text))].join(
    '\n\n',
  );
}

function inputOf(calls: readonly Asked[]): number {
  return sum(calls.map(({ request }) => estimatePrompt(request.seat.brief, request.messages)));
}

/**
 * Returns the tokens if every call contained brief, question, rules, everything said before, and its task.
 */
function countNaiveTokens(calls: readonly Asked[]): number {
  return sum(
    calls.map(({ request: { seat, messages }, before }) => {
      const own = (messages[0]?.parts ?? []).filter(
        ({ text }) => !/^<(?:record|piece)-/.test(text),
      );
      return before + estimatePrompt(seat.brief, [{ role: 'user', parts: own }]);
    }),
  );
}

/**
 * Returns the share of characters that are in the longest prefix shared with an earlier prompt of the same
 * model.
 * @param waited whether only prompts count whose calls had ended when the later call began
 */
function prefixShare(
  calls: readonly Asked[],
  modelOf: (call: Asked) => string,
  waited = false,
): number {
  const seen = calls.map((call, index) =>
    calls
      .slice(0, index)
      .filter(
        (earlierCall) =>
          modelOf(earlierCall) === modelOf(call) && (!waited || earlierCall.ended <= call.after),
      )
      .reduce(
        (most, earlierCall) => Math.max(most, countCommonLetters(call.prompt, earlierCall.prompt)),
        0,
      ),
  );
  return sum(seen) / sum(calls.map(({ prompt }) => prompt.length));
}

function countCommonLetters(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
}

/** Makes a row for a figure without a target. */
function makeFigureRow(what: string, share: number): Row {
  return { ...atLeast(what, share, 0), target: '', met: undefined };
}

function wallOf(facts: readonly Fact[]): number {
  const getTime = (type: Fact['type']): number =>
    Date.parse(facts.find((fact) => fact.type === type)?.at ?? '');
  return getTime('run.ended') - getTime('run.started');
}

/**
 * Returns the time of the calls that must wait for each other: within a round A, B, C, D, checks 1 and 2,
 * then 3, then 4, claims, bearings, G, H; of calls at the same time the longest.
 */
function criticalPath(facts: readonly Fact[]): number {
  const stages = new Map<string, number>();
  for (const fact of facts) {
    if (fact.type !== 'call.completed') continue;
    const stage = stageOf(fact.step);
    stages.set(stage, Math.max(stages.get(stage) ?? 0, fact.latencyMs));
  }
  return sum([...stages.values()]);
}

function stageOf(step: string): string {
  return step
    .replace(/\/([CD])\/.*/, '/$1')
    .replace(/\/E\/[12](?=\/|$)/, '/E/1-2')
    .replace(/\/F\/(?!bearings).*/, '/F/claims');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
