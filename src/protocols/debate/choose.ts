/**
 * Proposes a method for a question: by rule if the question's words suffice, otherwise by one call
 * of the judge. The person then sees the proposal with the price of each method for this panel, and
 * chooses.
 */
import * as z from 'zod';
import { makeNonce } from '../../kernel/chance.ts';
import { ONCE } from '../../kernel/estimate.ts';
import type { Run } from '../../kernel/handle.ts';
import type { RunContext } from '../../kernel/protocol.ts';
import { SDK } from '../../sdk/facts.ts';
import type { OwnRequest } from '../../sdk/requests.ts';
import { formatUsd } from '../../text/numbers.ts';
import { countAttachedPart } from '../common/prompts/attached.ts';
import { encloseInTags } from '../common/prompts/fence.ts';
import { loadAllMethods, METHODS } from './catalog.ts';
import type { DebateConfig } from './config.ts';
import { describeUnfitSeats, estimateMethod, selectSeats } from './estimate.ts';

interface Proposal {
  readonly method: string;
  readonly reason: string;
  /** Whether a rule proposes it, or the judge did. */
  readonly by: 'rule' | 'model';
}

interface Rule extends Omit<Proposal, 'by'> {
  readonly pattern: RegExp;
}

/**
 * The rules in order, of which the first matching rule counts. A question for a number is matched
 * before a question that names two options.
 */
const RULES: readonly Rule[] = [
  {
    method: 'oxford',
    reason: 'it is put as a motion',
    pattern: /^\s*["“]?this house\b/i,
  },
  {
    method: 'delphi',
    reason: 'it asks for a number',
    pattern:
      /\b(how (many|much|long|soon|often|far|big|large|likely|probable)|what (is|are) the (odds|chances?|probability|likelihood|cost|price)|by (what|which) (date|year|percentage)|estimate (the|how))\b/i,
  },
  {
    method: 'brainstorm',
    reason: 'it asks for ideas',
    pattern: /\b(brainstorm|ideas for|what (could|might) we|ways (to|of|in which)|come up with)\b/i,
  },
  {
    method: 'tradeoff',
    reason: 'it names courses to choose between',
    pattern: /\b(which of|either\b.+\bor|versus|vs\.?|.{2,}\bor\b.{2,}\?)/is,
  },
];

/** Proposes a method from the words of the question, whatever seats there are. Returns undefined if no rule matches. */
export function proposeByRule(question: string): Proposal | undefined {
  const rule = RULES.find(({ pattern }) => pattern.test(question));
  return rule && METHODS.has(rule.method)
    ? { method: rule.method, reason: rule.reason, by: 'rule' }
    : undefined;
}

/**
 * Proposes a method, lets the person choose, and returns the name of the chosen method. Only methods for which the
 * run has neither too few nor too many seats are offered. The choice is made once and recorded, so a resumed run
 * keeps its method.
 */
export async function chooseMethod(
  run: Run,
  context: RunContext<DebateConfig, OwnRequest>,
): Promise<string> {
  const methods = await loadAllMethods();
  const possible = new Map(
    [...methods].filter(
      ([, definition]) => describeUnfitSeats(definition, context.seats) === undefined,
    ),
  );
  const ruled = proposeByRule(context.question);
  const proposed =
    ruled !== undefined && possible.has(ruled.method)
      ? ruled
      : await askJudge(run, context, [...possible.keys()]);
  const options = [...possible].map(([name, definition]) => ({
    value: name,
    // Each method that a person can choose has its price before its description, because the screen cuts long labels.
    label: `${name} (${priceOf(run, definition, context)}): ${METHODS.get(name)?.about ?? ''}`,
  }));
  const { answer, by } = await run.decide('method/gate', {
    prompt: `Which method? Proposed: ${proposed.method}, since ${proposed.reason.replace(/\.+$/, '')}.`,
    options,
    default: proposed.method,
  });
  const method = possible.has(answer) ? answer : proposed.method;
  const isProposed = method === proposed.method;
  const chosen = {
    method,
    reason: isProposed ? proposed.reason : 'the person chose it',
    by: isProposed || by === 'default' ? proposed.by : ('person' as const),
  };
  await run.step('method', chosen, ({ emit }) =>
    emit(SDK.make('method.chosen', { step: 'method', ...chosen })),
  );
  return method;
}

async function askJudge(
  run: Run,
  { question, seats, config }: RunContext<DebateConfig, OwnRequest>,
  names: readonly string[],
): Promise<Proposal> {
  const [first = 'standard', ...others] = names;
  const fallback: Proposal = {
    method: names.includes('standard') ? 'standard' : first,
    reason: 'nothing in the question asks for another',
    by: 'rule',
  };
  const judge = seats.find(({ role }) => role === 'judge') ?? seats[0];
  if (judge === undefined) return fallback;
  const schema = z.object({
    method: z.enum([first, ...others]),
    reason: z.string().min(1).max(160),
  });
  const prompt = [
    'A panel is going to debate a question. Which of these methods suits it? Judge by what the answer has to be: a number, a choice between options, a list of ideas, a verdict on a motion, a definition made clear, or advice.',
    names.map((name) => `${name}: ${METHODS.get(name)?.about ?? ''}`).join('\n'),
    encloseInTags('piece', makeNonce(config.seed, 'method'), 'Question', question),
    'Give the reason in one short clause that would stand behind "since".',
  ].join('\n\n');
  const reply = await run.ask('method/proposal', {
    task: 'debate/method',
    about: { question },
    seat: judge,
    messages: [{ role: 'user', parts: [{ text: prompt }] }],
    schema,
    seed: config.seed,
  });
  if (reply.status !== 'done') {
    if (run.signal.aborted) throw run.signal.reason;
    return fallback;
  }
  const said = schema.safeParse(reply.value);
  return said.success ? { ...said.data, by: 'model' } : fallback;
}

function priceOf(
  run: Run,
  definition: Parameters<typeof estimateMethod>[0],
  { question, seats, config }: RunContext<DebateConfig, OwnRequest>,
): string {
  const panel = selectSeats(definition, seats);
  const attached = countAttachedPart(config);
  const rows = estimateMethod(definition, {}, panel, question, config.looks, attached);
  const calls = rows.reduce(
    (sum, row) => ({ low: sum.low + row.calls.low, high: sum.high + row.calls.high }),
    { ...ONCE, low: 0, high: 0 },
  );
  const count = calls.low === calls.high ? `${calls.low}` : `${calls.low} to ${calls.high}`;
  const prices = rows.map(({ model, input, output }) =>
    run.price(model, {
      input: input.high,
      output: output.high,
      cached: 0,
      cacheWritten: 0,
      thinking: 0,
    }),
  );
  const known = prices.flatMap((price) => price ?? []);
  const usd = known.reduce((sum, price) => sum + price, 0);
  return known.length < prices.length || usd === 0
    ? `${count} calls`
    : `${count} calls, at most about ${formatUsd(usd)}`;
}
