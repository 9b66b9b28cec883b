/** Asks several seats the same in parallel. */
import type { Heard, SeatAtWork } from '../define.ts';
import { NoAnswer, TooFew } from '../no-answer.ts';

/**
 * Asks several seats in parallel. The answers are in the order of the seats; seats without an
 * answer are left out, and their failures are recorded.
 * @throws TooFew if there are fewer than `least` answers
 */
export async function askAll<V>(
  seats: readonly SeatAtWork[],
  ask: (seat: SeatAtWork) => Promise<V>,
  least = 0,
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
  const answers = heard.flat();
  if (answers.length >= least) return answers;
  const texts = answers.map(({ seat, value }) => ({ title: seat.title, text: textOf(value) }));
  throw new TooFew(texts, seats.length, least);
}

/** Formats an answer as plain text. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, field]) => `${name}: ${typeof field === 'string' ? field : JSON.stringify(field)}`)
    .join('\n');
}
