/**
 * Reads a file of results line by line. Each line has a size limit, and the file is read to its end or
 * fails.
 */
import { parseRecord } from '../../text/json.ts';
import {
  cutFailure,
  idleFailure,
  malformedFailure,
  ProviderFailure,
  type ServerDescription,
} from '../failure.ts';
import { FramingError, LineCutter } from '../framing.ts';
import { IdleWatch } from '../idle.ts';

/** The largest file in bytes: 100,000 answers of 40 kB. */
const MAX_FILE = 4 * 1024 * 1024 * 1024;

/**
 * Calls `take` with each line of the response that is a JSON object. Other lines are skipped, and
 * their answers count as missing.
 * @throws ProviderFailure if the response breaks off, sends nothing for `idleMs` milliseconds, is too
 * long or has a line that is too long or not UTF-8
 */
export async function readLines(
  about: ServerDescription,
  response: Response,
  idleMs: number,
  take: (record: Readonly<Record<string, unknown>>) => void,
): Promise<void> {
  const reader = response.body?.getReader();
  if (reader === undefined) throw new ProviderFailure(cutFailure(about, undefined));
  const lines = new LineCutter();
  const takeLine = (line: string): void => {
    const record = parseRecord(line);
    if (record !== undefined) take(record);
  };
  let received = 0;
  let isIdle = false;
  const watch = new IdleWatch(idleMs, () => {
    isIdle = true;
    void reader.cancel();
  });
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      watch.restart();
      received += value.length;
      if (received > MAX_FILE) throw new FramingError('too-long');
      for (const line of lines.push(value)) takeLine(line);
    }
    // A stream that was cancelled because it was idle looks as if it had ended normally. Tell the two apart here.
    if (isIdle) throw new ProviderFailure(idleFailure(about, '', idleMs));
    takeLine(lines.rest());
  } catch (error) {
    if (error instanceof ProviderFailure) throw error;
    if (error instanceof FramingError)
      throw new ProviderFailure(
        malformedFailure(about, 'the results of a batch hold a line that cannot be read', false),
      );
    throw new ProviderFailure(cutFailure(about, error));
  } finally {
    watch.stop();
    await reader.cancel().catch(() => undefined);
  }
}
