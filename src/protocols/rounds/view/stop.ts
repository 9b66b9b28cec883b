/** The information for a person who decides whether another round is held. */
import type { RunModel } from '../../../console/model/run-model.ts';
import { entryOf } from '../../../kernel/entry.ts';
import type { GateView } from '../../../kernel/view.ts';
import { firstSentence } from '../../../text/answers/first-sentence.ts';
import { joinLines } from '../../../text/line.ts';
import { formatCount, formatMs, formatTokens, formatUsd } from '../../../text/numbers.ts';
import { isGround } from '../records/standing/decisions.ts';
import { getRecordsAndState, getRoundsState } from './part.ts';
import { getReaderAlarm, hasNoReader, NOBODY_READS } from './summary/reader.ts';
import { formatStanding, SIGNAL_SIGNS, SIGNAL_WORDS, translateSignalReason } from './wording.ts';

/** The most decisions that are listed, newest first. */
const DECISIONS = 3;

/**
 * Returns the lines that a person sees between the question whether to stop and its options: signals,
 * the cost of another round, and the answer so far. The list is empty for any other question.
 */
export function formatStopQuestion({ step }: GateView, runModel: RunModel): string[] {
  const round = getRoundsState(runModel).rounds.findLast(({ signals }) => signals !== undefined);
  if (round?.signals === undefined || !/^round-\d+\/stop$/.test(step)) return [];
  const standing = getRecordsAndState(runModel);
  const alarm = getReaderAlarm(standing);
  return [
    ...round.signals.signals.map(({ name, state, why }) => {
      const words = entryOf(SIGNAL_WORDS, name) ?? name;
      return `${SIGNAL_SIGNS[state]} ${words}${state === 'satisfied' ? '' : `: ${joinLines(translateSignalReason(why))}`}`;
    }),
    ...(hasNoReader(standing) ? [`! ${NOBODY_READS}`] : []),
    ...(alarm === undefined ? [] : [`! ${alarm}`]),
    '',
    `Another round: ${estimateNextRound(runModel)}`,
    ...soFar(runModel),
  ];
}

/**
 * Returns the answer so far and the valid decisions, each with how its first ground was decided.
 */
function soFar(runModel: RunModel): string[] {
  const { answer, decisions, claims } = getRecordsAndState(runModel).state;
  const said = answer && firstSentence(answer.text);
  const standing = decisions.filter((decision) => decision.standing === 'stands');
  const shown = standing.slice(-DECISIONS);
  const left = standing.length - shown.length;
  return [
    ...(said === undefined ? [] : [`So far: ${said}`]),
    ...shown.map(({ decision: { id, text, cites } }) => {
      const [ground] = cites
        .filter(isGround)
        .flatMap(({ id: cited }) => claims.find(({ claim }) => claim.id === cited) ?? []);
      const known =
        ground === undefined ? '' : `; rests on a claim that is ${formatStanding(ground)}`;
      return `- ${joinLines(text)} (${id}${known})`;
    }),
    ...(left > 0 ? [`  and ${formatCount(left, 'earlier decision')}`] : []),
  ];
}

/**
 * Formats what the next round is expected to take, in tokens, dollars and time: the average of the
 * finished rounds, of which there must be at least one.
 */
export function estimateNextRound(runModel: RunModel): string {
  const read = getRoundsState(runModel).rounds.filter(({ signals }) => signals !== undefined);
  const spent = read.map(({ round }) => runModel.spending.of(round));
  const addUp = (of: (spend: (typeof spent)[number]) => number): number =>
    spent.reduce((total, spend) => total + of(spend), 0);
  const unpriced = addUp((spend) => spend.unpriced);
  const estimated = spent.some((spend) => spend.estimated);
  const usd = formatUsd(addUp((spend) => spend.costUsd) / spent.length, estimated);
  const cost =
    unpriced > 0
      ? addUp((spend) => spend.costUsd) > 0
        ? `at least ${usd}`
        : 'at a cost that is not known'
      : usd;
  const tokens = formatTokens(addUp((spend) => spend.tokens) / spent.length, estimated);
  const time = formatMs(addUp((spend) => spend.busyMs) / spent.length);
  return `${estimated ? tokens : `about ${tokens}`} tokens, ${cost}, ${time} (average of ${formatCount(spent.length, 'finished round')}).`;
}
