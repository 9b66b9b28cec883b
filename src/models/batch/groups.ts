/** Groups requests into batches: each has one model and one path, and stays within a batch's limits. */
import type { ModelSpec } from '../../kernel/model.ts';
import type { Batches, BatchRequest } from './batches.ts';

/** A request that is sent in a batch, and the call that waits for the answer to it. */
export interface Waiter extends BatchRequest {
  /** Identifies the request: a digest of its body, path, model, run, step and attempt. */
  readonly key: string;
  readonly run: string;
  readonly step: string;
  readonly model: ModelSpec;
  /** The batch API of the model's provider. */
  readonly batches: Batches;
  /** Gives the answer to the waiting call. */
  readonly resolve: (answer: string) => void;
  /** The id of the wave with which the request was sent; undefined before. */
  wave: string | undefined;
}

/** The most bytes around a request's body in a batch. */
const AROUND = 200;

/** Groups requests by model and path. A group that exceeds a batch's limits is split. */
export function groupRequests<T extends Pick<Waiter, 'model' | 'path' | 'body' | 'batches'>>(
  waiters: readonly T[],
): T[][] {
  const byKind = Map.groupBy(waiters, ({ model, path }) => JSON.stringify([model, path]));
  return [...byKind.values()].flatMap(splitIntoGroups);
}

function splitIntoGroups<T extends Pick<Waiter, 'body' | 'batches'>>(waiters: readonly T[]): T[][] {
  const groups: T[][] = [];
  let bytes = 0;
  for (const waiter of waiters) {
    const { most } = waiter.batches;
    const size = Buffer.byteLength(waiter.body) + AROUND;
    const last = groups.at(-1);
    if (last === undefined || last.length >= most.requests || bytes + size > most.bytes) {
      groups.push([waiter]);
      bytes = size;
    } else {
      last.push(waiter);
      bytes += size;
    }
  }
  return groups;
}
