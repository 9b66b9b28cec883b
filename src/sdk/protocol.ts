/**
 * `deliberate/protocol`: what a protocol of one's own is written against. Exported from the package;
 * docs/protocols.md says how it is used.
 */
import * as z from 'zod';

export type {
  Ask,
  AskOptions,
  Conclusion,
  Context,
  FactDefinition,
  OwnProtocol,
  ProtocolDefinition,
  SeatAtWork,
  SeatDefinition,
} from './define.ts';
export { protocol } from './define.ts';
export { NoAnswer } from './no-answer.ts';
export { type Quotable, quote } from './quoting.ts';
export { z };
