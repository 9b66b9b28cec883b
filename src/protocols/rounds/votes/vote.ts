/**
 * The votes of a deliberation: a blind vote before round 1, then votes with all records after each
 * drift check and at the end. Further votes would cost a call for each seat and change little. No
 * other prompt contains a vote, so that votes do not influence what they measure. With the no-peer
 * control, every seat is asked once more at the end without the words of the others.
 */
import type { Reply } from '../../../kernel/call.ts';
import {
  compareEntries,
  comparisonSchema,
  comparisonTask,
} from '../../common/voting/same-choice.ts';
import { areOpposed, groupOptions, normalizeOption } from '../../common/voting/votes.ts';
import type { Phase, StanceView } from '../claims/rounds-view.ts';
import { type FactBody, fact } from '../facts.ts';
import { seatAt } from '../fork-changes.ts';
import { isSince } from '../prompts/order.ts';
import {
  ALONE,
  aloneSchema,
  peersSchema,
  STANCE,
  STANCE_WITH_PEERS,
  WITH_PEERS,
} from '../prompts/stance.ts';
import { formatStatePiece, formatVerdictsPiece } from '../prompts/state.ts';
import { findAnchors, splitRef } from '../records/anchors.ts';
import { ROLES, type Role } from '../records/types.ts';
import type { Piece, RoundsRun } from '../rounds-run.ts';
import { readStance } from './read-stance.ts';
import { compareStances, findCitedRecords, findStance } from './stances.ts';

/**
 * Asks every seat for its blind vote, without anything that others said, and counts the votes. Even a
 * seat that is absent from the round votes.
 * @param round the round under which the votes are recorded; the only caller holds this vote at the
 * beginning of round 1
 */
export async function voteBlind(roundsRun: RoundsRun, round: number): Promise<void> {
  await Promise.all(ROLES.map((role) => askAlone(roundsRun, round, 'A', role, false)));
  await countVotes(roundsRun, round, 'A', false);
}

/** Asks the seats of the given roles for a vote with all records, and counts the votes. */
export async function voteWithRecord(
  roundsRun: RoundsRun,
  round: number,
  phase: Phase,
  roles: readonly Role[],
): Promise<void> {
  const heard = formatRecordPieces(roundsRun, round);
  await Promise.all(roles.map((role) => askWithRecord(roundsRun, round, phase, role, heard)));
  await countVotes(roundsRun, round, phase, true);
}

/**
 * Holds the last vote with all four seats, unless all four have already voted at the end of the
 * last round.
 * @param control whether to ask every seat once more without the words of the others, to see whose
 * opinion stays the same
 */
export async function voteAtTheEnd(
  roundsRun: RoundsRun,
  round: number,
  control: boolean,
): Promise<void> {
  const { absent, votes } = roundsRun.round(round);
  const stands = absent === undefined && votes.some(({ peers }) => peers);
  await Promise.all([
    ...(control ? ROLES.map((role) => askAlone(roundsRun, round, 'synthesis', role, true)) : []),
    ...(stands ? [] : [voteWithRecord(roundsRun, round, 'synthesis', ROLES)]),
  ]);
  if (control) await compareVotes(roundsRun, round);
}

/**
 * The number that is added to the seed when a question is repeated, because a provider might
 * otherwise repeat its answer.
 */
const REPEAT = 1;

async function askAlone(
  roundsRun: RoundsRun,
  round: number,
  phase: Phase,
  role: Role,
  again: boolean,
): Promise<void> {
  await roundsRun.ask(
    `${phase}/${again ? 'alone' : 'stance'}/${role}`,
    roundsRun.seat(role),
    round,
    {
      kind: 'stance-alone',
      schema: aloneSchema,
      task: ALONE,
      rules: STANCE,
      record: false,
      seed: roundsRun.settings.seed + (again ? REPEAT : 0),
    },
    (reply, step) => takeVote(roundsRun, round, role, { peers: false, again }, reply, step),
  );
}

async function askWithRecord(
  roundsRun: RoundsRun,
  round: number,
  phase: Phase,
  role: Role,
  heard: readonly Piece[],
): Promise<void> {
  await roundsRun.ask(
    `${phase}/stance/${role}`,
    roundsRun.seat(role),
    round,
    { kind: 'stance', heard, schema: peersSchema, task: WITH_PEERS, rules: STANCE_WITH_PEERS },
    (reply, step) => takeVote(roundsRun, round, role, { peers: true, again: false }, reply, step),
  );
}

/**
 * Returns the records of this round for the prompt of a vote, including decisions. The records of
 * earlier rounds are in every prompt anyway.
 */
function formatRecordPieces(roundsRun: RoundsRun, round: number): Piece[] {
  const { decisions } = roundsRun.round(round);
  return [
    ...formatVerdictsPiece(roundsRun, round),
    ...formatStatePiece(roundsRun, 'seats'),
    ...(decisions.length === 0
      ? []
      : [{ from: 'the log', text: decisions.map(({ id, text }) => `${id}: ${text}`).join('\n') }]),
  ];
}

function takeVote(
  roundsRun: RoundsRun,
  round: number,
  role: Role,
  kind: Pick<StanceView, 'peers' | 'again'>,
  reply: Reply,
  step: string,
): FactBody[] {
  const { brief } = roundsRun.seat(role);
  const value = reply.status === 'done' ? reply.value : undefined;
  const read = readStance(value, brief, roundsRun.settings.question);
  if (read === undefined || !('stance' in read)) return [];
  const { position, option, confidence, cites = [] } = read.stance;
  return [
    fact('stance.taken', {
      round,
      seat: role,
      model: seatAt(roundsRun.seat(role), step, roundsRun.settings.changes).model,
      position,
      option,
      confidence,
      cites: kind.peers ? findCitedRecords(position, cites, evidenceIn(roundsRun)) : [],
      ...kind,
      step,
    }),
  ];
}

/**
 * Returns a function that tells whether a vote may cite a place: a claim, a valid verdict, or a
 * place in an artifact. Only cited artifacts are searched.
 */
function evidenceIn({ view: { claims, rounds } }: RoundsRun): (ref: string) => boolean {
  const ids = new Set([
    ...Object.keys(claims),
    ...rounds.flatMap(({ verifications }) =>
      verifications.filter(({ result }) => result !== 'NOT_APPLICABLE').map(({ id }) => id),
    ),
  ]);
  const texts = new Map(
    rounds.flatMap(({ artifacts }) =>
      artifacts.map(({ path, markdown }) => [path, markdown] as const),
    ),
  );
  return (ref) => {
    const { path, anchor } = splitRef(ref);
    const text = texts.get(path);
    return ids.has(ref) || (text !== undefined && findAnchors(text).has(anchor));
  };
}

async function countVotes(
  roundsRun: RoundsRun,
  round: number,
  phase: Phase,
  peers: boolean,
): Promise<void> {
  const asked = `round-${round}/${phase}/stance/`;
  const stances = roundsRun.round(round).stances.filter(({ step }) => step.startsWith(asked));
  if (stances.length === 0) return;
  const { by, labels } = await groupVotes(roundsRun, round, `${phase}/options`, stances);
  await roundsRun.record(`round-${round}/${phase}/vote`, [
    fact('vote.counted', {
      round,
      peers,
      by,
      ballots: stances.map((stance, index) => ({
        seat: stance.seat,
        model: stance.model,
        option: labels[index] ?? stance.option,
      })),
    }),
  ]);
}

interface Grouped {
  readonly by: 'verifier' | 'wording';
  /** The option under which each vote is counted. */
  readonly labels: readonly string[];
}

/** Returns whether a model has failed the reading test in this run. */
function hasFailed({ view }: RoundsRun, model: string): boolean {
  return view.exams.some((exam) => exam.model === model && !exam.passed);
}

/**
 * Groups votes for the same option. The verifier is asked if the wording does not decide. Since
 * edition 6 of the rules, a verifier that failed the reading test is not asked: a model that reads
 * nothing would pair two options and an invented one by chance in one of three cases.
 */
async function groupVotes(
  roundsRun: RoundsRun,
  round: number,
  key: string,
  stances: readonly StanceView[],
): Promise<Grouped> {
  const options = stances.map(({ option }) => option);
  const different = stances.filter(
    ({ option }, index) =>
      options.findIndex((other) => normalizeOption(other) === normalizeOption(option)) === index,
  );
  const isUnread =
    isSince(roundsRun.settings.rules, 6) && hasFailed(roundsRun, roundsRun.verifier.model);
  if (different.length < 2 || isUnread) return { by: 'wording', labels: groupOptions(options) };
  const { seed, plantedOption = false } = roundsRun.settings;
  const { shown, ids, readPairs } = compareEntries(different, seed, plantedOption);
  const schema = comparisonSchema(ids);
  const reply = await roundsRun.ask(key, roundsRun.verifier, round, {
    kind: 'options',
    pieces: shown.map(({ id, option, position }) => ({
      from: id,
      text: `${option}\n(${position})`,
    })),
    schema,
    task: comparisonTask(),
    record: false,
  });
  const parsed = schema.safeParse(reply.status === 'done' ? reply.value : undefined);
  const pairs = parsed.success ? readPairs(parsed.data.same) : undefined;
  if (pairs === undefined) return { by: 'wording', labels: groupOptions(options) };
  const same = pairs.map(([left, right]): [number, number] => [
    stances.indexOf(left),
    stances.indexOf(right),
  ]);
  return { by: 'verifier', labels: groupOptions(options, same, areOpposed) };
}

/** Records why each seat's vote has changed. Seats whose model a fork changed are skipped. */
async function compareVotes(roundsRun: RoundsRun, round: number): Promise<void> {
  const last = roundsRun.round(round);
  const opening = roundsRun.view.rounds[0];
  if (opening === undefined) return;
  // If the last round was a stress round, a role may have voted twice in this round. Take the last of its votes.
  const standings = ROLES.flatMap(
    (role) => last.stances.findLast(({ seat, peers }) => peers && seat === role) ?? [],
  );
  const answers = ROLES.flatMap((role) => {
    const first = findStance(opening, role, { peers: false, again: false });
    const alone = findStance(last, role, { peers: false, again: true });
    const peers = standings.find(({ seat }) => seat === role);
    return first && alone && peers && first.model === alone.model && first.model === peers.model
      ? [{ role, first, alone, peers }]
      : [];
  });
  if (answers.length === 0) return;
  const stances = [
    ...answers.map(({ first }) => first),
    ...answers.map(({ alone }) => alone),
    ...standings,
  ];
  const { labels } = await groupVotes(roundsRun, round, 'synthesis/options-of-all', stances);
  const getLabel = (stance: StanceView): string => labels[stances.indexOf(stance)] ?? stance.option;
  await roundsRun.record(
    `round-${round}/synthesis/shifts`,
    answers.map(({ role, first, alone, peers }) => {
      const options = { first: getLabel(first), alone: getLabel(alone), peers: getLabel(peers) };
      const others = standings.filter(({ seat }) => seat !== role).map(getLabel);
      return fact('stance.compared', {
        round,
        seat: role,
        ...options,
        ...compareStances({ ...options, cites: peers.cites, others }),
      });
    }),
  );
}
