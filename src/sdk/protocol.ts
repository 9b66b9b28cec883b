/**
 * `deliberate/protocol`: the package's interface for users' own protocols; docs/protocols.md describes its
 * use.
 */
import * as z from 'zod';

export * as figures from '../figures/figures.ts';
export {
  makeStatementSchema as statement,
  optionalStatement,
} from '../protocols/common/prompts/statement.ts';
export { findSentence } from '../protocols/common/quotations/quotes.ts';
export { checkQuotes } from './context/ledger.ts';
export type {
  Ask,
  AskAll,
  AskAllOptions,
  AskOptions,
  Check,
  Conclusion,
  Context,
  Decision,
  Entered,
  Entry,
  FactDefinition,
  Gate,
  Grouping,
  GroupOptions,
  Heard,
  Item,
  LastBallot,
  Ledger,
  Many,
  Outcome,
  OwnProtocol,
  Poll,
  Polled,
  ProtocolDefinition,
  SeatAtWork,
  SeatDefinition,
  SeatId,
} from './define.ts';
export { protocol } from './define.ts';
export type { Figure } from './figure.ts';
export { NoAnswer } from './no-answer.ts';
export { oneOf } from './one-of.ts';
export { type Quotable, quote } from './quoting.ts';
export { shuffle } from './shuffling.ts';
export { z };
