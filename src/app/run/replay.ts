/** `deliberate replay`: plays a recorded run back in its original timing. Calls no model and writes nothing. */

import { leaveOnSignals } from '../../console/terminal/signals.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { Invocation } from '../invocation.ts';
import { findRunOf } from '../run-of.ts';
import { readConfig } from '../settings/config.ts';
import { withRecorded } from '../store.ts';
import { openDisplay } from './display.ts';

/** Runs `deliberate replay`: plays back a recorded run. Resolves to the exit code. */
export async function replay(call: Invocation): Promise<number> {
  const recorded = await withRecorded(call, (store) => {
    const id = findRunOf(call, store);
    const recorded = store.facts(id);
    if (recorded.length === 0)
      throw new DeliberateError(
        'never-began',
        `run ${shortId(id)} was never started; nothing to replay`,
      );
    return { facts: recorded, protocol: store.summary(id).protocol };
  });
  return playRecorded(call, recorded);
}

/** A recorded run, from the database or from an example. */
interface RecordedRun {
  readonly facts: readonly AnyFact[];
  readonly protocol: string;
}

/**
 * Plays a recorded run back in the console; without a console, prints the whole run at once.
 * Resolves to the exit code.
 *
 * @throws UsageError if `--from` names no step or time of the run
 */
export async function playRecorded(
  call: Invocation,
  { facts, protocol }: RecordedRun,
): Promise<number> {
  const { keys } = readConfig(call);
  const { marks } = await call.protocols.loadView(protocol);
  const { timelineOf, toPlayingTime } = await import('../../console/replay/timeline.ts');
  const { Player } = await import('../../console/replay/playback.ts');
  const timeline = timelineOf(facts, marks);
  const wanted = call.flags.from;
  const from = wanted === undefined ? 0 : toPlayingTime(timeline, wanted, timeIn);
  if (from === undefined)
    throw new UsageError(
      `--from ${wanted}: this run has no such step`,
      'Use a step (seat/critic, synthesis/1), a time (90s) or a share (50%).',
    );
  const display = await openDisplay(call, protocol, keys);
  const player = new Player(timeline, { speed: call.flags.speed, from });
  const leave = new AbortController();
  const forget = leaveOnSignals(() => leave.abort());
  try {
    await display.show(
      {
        id: facts[0]?.run ?? '',
        facts: display.interactive ? player.facts : facts,
        feed: player.feed,
        playback: player,
        now: () => player.now(),
        leave: leave.signal,
      },
      // Start the playback only when the display handles keys, so that the person can pause it from the beginning.
      (ready) => (display.interactive ? ready.then(() => player.start()) : ready),
    );
    return 0;
  } finally {
    forget();
    player.stop();
  }
}

function timeIn(text: string): number | undefined {
  return /^\d/.test(text) ? parseDuration(text) : undefined;
}
