/** Hashes texts, and steps' inputs: equal values have equal digests, in whatever order their keys are. */
import { createHash } from 'node:crypto';

/**
 * Returns the first 128 bits of the SHA-256 of the value's canonical JSON, as 32 hex digits. The order of the
 * keys of objects does not change the result.
 */
export function computeDigest(value: unknown): string {
  return sha256(toCanonicalJson(value)).slice(0, 32);
}

/** Returns the SHA-256 of a text or of bytes, as 64 hex digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function toCanonicalJson(value: unknown): string {
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
