/** Limits the bytes that are read from tool servers over HTTP. */
import { ServerFailure } from './definition.ts';
import { MOST_BYTES } from './program.ts';

/** The part of the global `fetch` that is used. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Returns a `fetch` whose responses fail with a `ServerFailure` after `most` bytes. */
export function makeBoundedFetch(fetch: Fetch, most = MOST_BYTES): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    let read = 0;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(part, controller) {
          read += part.length;
          if (read > most)
            controller.error(
              new ServerFailure(`it sent more than ${most / 1024 / 1024} MB and was cut off`),
            );
          else controller.enqueue(part);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(counted, { status, statusText, headers });
  };
}
