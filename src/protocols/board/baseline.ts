/**
 * Baselines: one model answers the same question without a panel, once, or several times with a
 * vote. Baselines run after the synthesis, so that nobody waits for them on a server that runs one
 * model at a time. Their tokens and cost are reported, but not which result is better.
 */

import { makeNonce } from '../../kernel/chance.ts';
import type { Run } from '../../kernel/handle.ts';
import type { ModelRequest, Seat } from '../../kernel/model.ts';
import type { RunContext } from '../../kernel/protocol.ts';
import { isRehearsal } from '../../kernel/providers/spec.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { makeEffortSetting } from '../common/asking/thinking.ts';
import { encloseInTags } from '../common/prompts/fence.ts';
import { compareEntries, comparisonSchema, comparisonTask } from '../common/voting/same-choice.ts';
import { areOpposed, groupOptions, normalizeOption } from '../common/voting/votes.ts';
import { type Ballot, parseBallot, SAME_CHOICE } from './ballots.ts';
import { getReplyUsage, sumUsage, type Usage } from './collect-answers.ts';
import { type Baseline, type BoardConfig, FEWEST_SAMPLES, MOST_MATCHED } from './config.ts';
import { fact } from './facts.ts';
import { boardOf } from './fold.ts';
import { aloneMessages } from './prompts.ts';

/**
 * Asks the baselines in the settings, one after the other: single models that answer the same
 * question without a panel. Skips baselines whose result is on record. A failed baseline is recorded only as a failed
 * call.
 * @param panel the tokens and cost of the panel, with which the baseline is compared
 */
export async function measureBaselines(
  run: Run,
  context: RunContext<BoardConfig>,
  panel: Usage,
): Promise<void> {
  const known = boardOf(context.facts).questions[0]?.baselines ?? [];
  for (const baseline of context.config.baselines ?? []) {
    if (known.some(({ kind }) => kind === baseline.kind)) continue;
    if (baseline.kind === 'single') await runSingle(run, context, panel);
    else await runVote(run, context, panel, baseline);
  }
}

async function runSingle(run: Run, context: RunContext<BoardConfig>, panel: Usage): Promise<void> {
  const { config } = context;
  await run.ask(
    'baseline/single',
    { ...aloneTask(context), seed: config.seed },
    {
      conclude: (reply) =>
        reply.status === 'done'
          ? [
              makeCompletedFact(
                context,
                'single',
                { text: reply.text, samples: 1, groups: [] },
                getReplyUsage(run, baselineSeat(config).model, reply),
                panel,
              ),
            ]
          : [],
    },
  );
}

interface Sample {
  readonly text: string;
  readonly took: Usage;
  readonly ballot: Ballot | undefined;
}

async function runVote(
  run: Run,
  context: RunContext<BoardConfig>,
  panel: Usage,
  { samples: wanted }: Baseline & { kind: 'vote' },
): Promise<void> {
  const { config } = context;
  // Failed samples are included because they cost tokens, too.
  const spent: Usage[] = [];
  const askForSample = async (index: number): Promise<Sample | undefined> => {
    const reply = await run.ask(`baseline/vote/${index}`, {
      ...aloneTask(context),
      // Each sample gets its own seed; otherwise a provider that uses seeds would repeat its answer.
      seed: config.seed + index,
    });
    const took = getReplyUsage(run, baselineSeat(config).model, reply);
    spent.push(took);
    if (reply.status !== 'done') return undefined;
    return { text: reply.text, took, ballot: parseBallot(reply.text, context.question) };
  };
  const first = await askForSample(1);
  if (first === undefined) return;
  const count = wanted ?? countSamplesFor(panel.tokens, first.took.tokens);
  const others = await Promise.all(
    Array.from({ length: count - 1 }, (_one, index) => askForSample(index + 2)),
  );
  const samples = [first, ...others].filter((sample) => sample !== undefined);
  const grouped = await groupSamples(run, config, samples);
  const took = sumUsage([...spent, ...grouped.took]);
  const voted = samples.filter((sample) => sample.ballot !== undefined);
  const groups = [...new Set(grouped.labels)]
    .map((option) => ({
      option,
      samples: grouped.labels.filter((label) => label === option).length,
    }))
    .sort((left, right) => right.samples - left.samples);
  const winner = voted[grouped.labels.indexOf(groups[0]?.option ?? '')] ?? first;
  const result = { text: winner.text, samples: samples.length, groups };
  await run.step('baseline/vote/counted', { result }, ({ emit }) =>
    emit(makeCompletedFact(context, 'vote', result, took, panel)),
  );
}

/**
 * Returns how many answers of one model take about as many tokens as the panel, but at least
 * `FEWEST_SAMPLES` and at most `MOST_MATCHED`.
 * @param panelTokens the panel's tokens
 * @param sampleTokens the tokens of one answer
 */
export function countSamplesFor(panelTokens: number, sampleTokens: number): number {
  return Math.min(
    MOST_MATCHED,
    Math.max(FEWEST_SAMPLES, Math.round(panelTokens / Math.max(1, sampleTokens))),
  );
}

/**
 * Returns, for each sample with a ballot, the option under which the sample is counted. If wordings
 * differ, a model decides which options are the same choice.
 */
async function groupSamples(
  run: Run,
  config: BoardConfig,
  samples: readonly Sample[],
): Promise<{ labels: readonly string[]; took: readonly Usage[] }> {
  const ballots = samples.flatMap(({ ballot }) => (ballot === undefined ? [] : [ballot]));
  const options = ballots.map(({ option }) => option);
  const different = options.filter(
    (option, index) =>
      options.findIndex((other) => normalizeOption(other) === normalizeOption(option)) === index,
  );
  if (different.length < 2) return { labels: groupOptions(options), took: [] };
  const entries = different.map((option) => ({
    option,
    position: ballots[options.indexOf(option)]?.position ?? '',
  }));
  const { shown, ids, readPairs } = compareEntries(
    entries,
    config.seed,
    config.plantedOption === true,
  );
  const id = makeNonce(config.seed, 'baseline');
  const blocks = shown.map((entry) =>
    encloseInTags('piece', id, entry.id, `${entry.option}\n(${entry.position})`),
  );
  const schema = comparisonSchema(ids);
  const reply = await run.ask('baseline/vote/options', {
    task: 'board/options',
    seat: baselineSeat(config),
    messages: [
      { role: 'user', parts: [{ text: [...blocks, comparisonTask(SAME_CHOICE)].join('\n\n') }] },
    ],
    schema,
    seed: config.seed,
  });
  const parsed = schema.safeParse(reply.status === 'done' ? reply.value : undefined);
  const pairs = (parsed.success ? readPairs(parsed.data.same) : undefined) ?? [];
  const same = pairs.map(([one, other]): [number, number] => [
    options.indexOf(one.option),
    options.indexOf(other.option),
  ]);
  return {
    labels: groupOptions(options, same, areOpposed),
    took: [getReplyUsage(run, baselineSeat(config).model, reply)],
  };
}

function makeCompletedFact(
  { config }: RunContext<BoardConfig>,
  kind: Baseline['kind'],
  result: {
    readonly text: string;
    readonly samples: number;
    readonly groups: { option: string; samples: number }[];
  },
  took: Usage,
  panel: Usage,
) {
  const { model } = baselineSeat(config);
  return fact('baseline.completed', {
    question: 1,
    kind,
    model,
    ...result,
    tokens: took.tokens,
    ...withoutUndefined({ costUsd: took.costUsd }),
    panelTokens: panel.tokens,
    ...withoutUndefined({ panelCostUsd: panel.costUsd }),
    ...(took.estimated ? { estimated: true } : {}),
    ...(panel.estimated ? { panelEstimated: true } : {}),
    rehearsal: isRehearsal(model),
  });
}

function aloneTask({ question, config }: RunContext<BoardConfig>): Omit<ModelRequest, 'seed'> {
  return {
    task: 'board/baseline',
    about: { question, ending: 'ballot' },
    seat: baselineSeat(config),
    messages: aloneMessages(question, config.attachments, config.seed),
  };
}

function baselineSeat({ baselineModel, synthesizer, effort }: BoardConfig): Seat {
  return {
    id: 'baseline',
    role: 'baseline',
    title: 'Baseline',
    model: baselineModel ?? synthesizer,
    brief: '',
    ...makeEffortSetting(effort),
  };
}
