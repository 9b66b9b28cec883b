/** Asks several seats the same, side by side. */
import type { Heard, SeatAtWork } from '../define.ts';
import { NoAnswer } from '../no-answer.ts';

/** In the order of the seats; who gave no answer is left out, and on record as such. */
export async function askAll<V>(
  seats: readonly SeatAtWork[],
  ask: (seat: SeatAtWork) => Promise<V>,
): Promise<Heard<V>[]> {
  const heard = await Promise.all(
    seats.map(async (seat): Promise<Heard<V>[]> => {
      try {
        return [{ seat, value: await ask(seat) }];
      } catch (error) {
        if (error instanceof NoAnswer) return [];
        throw error;
      }
    }),
  );
  return heard.flat();
}
