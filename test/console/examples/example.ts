/** The recorded examples in the console, as somebody sees them who does not know the program. */
import { onTestFinished } from 'vitest';
import type { Playback } from '../../../src/console/replay/playback.ts';
import { EXAMPLES, makeExample } from '../../golden/examples.ts';
import { readGolden } from '../../golden/journal.ts';
import { FakeRun } from '../fake-run.ts';
import { type OpenedConsole, openRunConsole } from '../terminal.ts';

type Name = 'board' | 'rounds' | 'agent' | 'team';

/** The sizes of terminals in columns and rows. */
export const SIZES = [
  [80, 24],
  [120, 40],
] as const;

/**
 * Returns a replay of 166 seconds: at its end if `ended`, and otherwise paused in its middle. Its functions do
 * nothing.
 */
export function makePlayback(ended: boolean): Playback {
  const doNothing = (): void => undefined;
  return {
    speed: 1,
    paused: !ended,
    ended,
    position: ended ? 166_000 : 80_000,
    length: 166_000,
    gapMs: undefined,
    toggle: doNothing,
    faster: doNothing,
    slower: doNothing,
    step: doNothing,
    phase: doNothing,
    toEnd: doNothing,
    onRewind: doNothing,
  };
}

/**
 * Opens the replay of a recorded example in a console, which is closed when the test ends. The console shows
 * all facts of the run, even if `ended` is false and the replay is paused in its middle.
 */
export function openExample(
  name: Name,
  columns: number,
  rows: number,
  ended = true,
): OpenedConsole {
  const run = new FakeRun();
  const golden = EXAMPLES.get(name);
  if (golden === undefined) throw new Error(`no example ${name}`);
  run.facts.push(...makeExample(readGolden(golden).facts));
  run.time = Date.parse(run.facts.at(-1)?.at ?? '');
  const opened = openRunConsole(run, {
    columns,
    rows,
    acting: false,
    playback: makePlayback(ended),
  });
  onTestFinished(async () => {
    opened.console.close();
    await opened.console.closed;
  });
  return opened;
}
