/** The identity of a step's inputs: equal values give equal digests, whatever the order of keys. */
import { createHash } from 'node:crypto';

/** SHA-256 over canonical JSON, as 32 hex digits (128 bits: collisions are not a concern). */
export function digest(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32);
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      inner !== null && typeof inner === 'object' && !Array.isArray(inner)
        ? Object.fromEntries(
            Object.entries(inner).sort(([left], [right]) =>
              left < right ? -1 : left > right ? 1 : 0,
            ),
          )
        : inner,
    ) ?? 'undefined'
  );
}
