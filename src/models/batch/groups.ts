/** Which requests go together: of one model by one path, and no more of them than a batch may hold. */
import type { ModelSpec } from '../../kernel/model.ts';
import type { Batches, BatchRequest } from './batches.ts';

/** A request whose call waits for the answer. */
export interface Waiter extends BatchRequest {
  /** Digest of what is asked, and of the place in its run. */
  readonly key: string;
  readonly run: string;
  readonly step: string;
  readonly model: ModelSpec;
  readonly batches: Batches;
  readonly resolve: (answer: string) => void;
  /** The wave that it was sent with. */
  wave: string | undefined;
}

/** What stands around a request's body in a batch, at most. */
const AROUND = 200;

export function groupsOf<T extends Pick<Waiter, 'model' | 'path' | 'body' | 'batches'>>(
  waiters: readonly T[],
): T[][] {
  const byKind = Map.groupBy(waiters, ({ model, path }) => JSON.stringify([model, path]));
  return [...byKind.values()].flatMap(split);
}

function split<T extends Pick<Waiter, 'body' | 'batches'>>(waiters: readonly T[]): T[][] {
  const groups: T[][] = [];
  let bytes = 0;
  for (const one of waiters) {
    const { most } = one.batches;
    const size = Buffer.byteLength(one.body) + AROUND;
    const last = groups.at(-1);
    if (last === undefined || last.length >= most.requests || bytes + size > most.bytes) {
      groups.push([one]);
      bytes = size;
    } else {
      last.push(one);
      bytes += size;
    }
  }
  return groups;
}
