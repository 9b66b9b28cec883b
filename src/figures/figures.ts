/**
 * The entry of this room: the computations that methods of debate use. Every function is pure: it takes seats'
 * answers as plain data and returns figures, sentences, or what is wrong with an answer.
 * Main parts: `estimates/` (quantities, probabilities, camps, moves between rounds), `tally` (ballots),
 * `tradeoff`, `weights`, `scores` and `flips` (options against criteria), `ratings` and `idea-board` (ideas),
 * `findings` (questions about statements), `pairs` (contests before jurors), `grouping` and `opposed` (whether
 * two texts mean the same), `consensus`, `numbers` and `prose` (figures in texts). `methods/` keeps the state
 * of one method's run on top of these.
 * Invariants: no figure depends on the order in which seats answered; a seat that contradicts itself is not
 * counted; nothing is NaN or infinite; ids are given by code, never by a model. Thresholds come from
 * docs/methods.md.
 * It may import `src/text` only.
 */

export { findConsensus, rankDissent, type SharedClaim } from './consensus.ts';
export type { Camps } from './estimates/camps.ts';
export { type EstimateAnswer, EstimateRounds } from './estimates/estimates.ts';
export {
  checkMeasure,
  describeEstimate,
  drawRounds,
  type RangesFigure,
  readMeasure,
} from './estimates/measure.ts';
export {
  type EstimateChanges,
  explainMoves,
  type Move,
  type Revision,
  type ShownReason,
} from './estimates/moves.ts';
export {
  isProbability,
  type PooledProbability,
  poolProbabilities,
} from './estimates/probabilities.ts';
export {
  compareRounds,
  type Estimate,
  type Estimates,
  findStop,
  type Measure,
  MOST_ROUNDS,
  poolEstimates,
  type RoundComparison,
  readTriple,
  type Scale,
  type Triple,
} from './estimates/quantities.ts';
export { convertUnit, isKnownUnit, type ReadValue } from './estimates/units.ts';
export {
  type Answer,
  findRepeated,
  type Impasse,
  isIdle,
  keepLedger,
  type Ledger,
  type LedgerInput,
  type LedgerRow,
  type Question,
  type Statement,
  type StatementNow,
  type Status,
} from './findings.ts';
export { type Flip, findFlips, type Sensitivity } from './flips.ts';
export {
  type Grouping,
  groupItems,
  type Item,
  type Proposal,
  type RefusedPair,
} from './grouping.ts';
export { IdeaBoard, type IdeaRating } from './idea-board.ts';
export { Examination, readSupport } from './methods/advocacy.ts';
export { describeContest, drawLegs } from './methods/contest-told.ts';
export { Dialogue } from './methods/dialogue.ts';
export {
  assignQuestions,
  type Claim,
  type ClaimStatus,
  type FindQuoted,
  readVerdicts,
  type SeatQuestion,
  type Verdict,
} from './methods/examination.ts';
export { type HeldLeg, judgeLegs, LegState } from './methods/floor.ts';
export {
  describeUnanimous,
  formatAnswers,
  POINTS,
  type Point,
  readPoints,
  Turns,
} from './methods/turns.ts';
export { readNumbers, type WrittenNumber } from './numbers.ts';
export { findOpposition, type Opposition } from './opposed.ts';
export {
  type Contest,
  type ContestLeg,
  type ContestSide,
  isLegRepeated,
  type JurorVote,
  judgeContest,
  type LegResult,
  type Pair,
  type Vote,
} from './pairs.ts';
export { findInventedFigures, type Sources } from './prose.ts';
export { type Idea, type RankedIdea, type Ranking, type Rating, rankIdeas } from './ratings.ts';
export { checkScores, type ScoreCheck, type ScoredCriterion } from './scores.ts';
export type { ChangesFigure as LegFigure, MethodResult as EstimateOutcome } from './shown.ts';
export {
  type Ballot,
  type Changes,
  compareBallots,
  countBallots,
  type OptionCount,
  type Tally,
} from './tally.ts';
export {
  type Matrix,
  type Score,
  type SeatView,
  type SeatWeights,
  type Total,
  type Tradeoff,
  weighOptions,
} from './tradeoff.ts';
export {
  MOST_CRITERIA,
  MOST_OPTIONS,
  readSheet,
  type ScoreAnswer,
  type Sheet,
  TradeoffSheet,
  writeSheet,
} from './tradeoff-sheet.ts';
export { type CriterionPoints, normalizeWeights, readWeights } from './weights.ts';
