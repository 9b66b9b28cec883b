/** Hashes a step's inputs: equal values have equal digests, in whatever order their keys are. */
import { createHash } from 'node:crypto';

/** Returns the first 128 bits of the SHA-256 of the value's canonical JSON, as 32 hex digits. */
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
