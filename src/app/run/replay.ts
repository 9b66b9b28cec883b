/** `deliberate replay`: a recorded run once more, as it went. Nobody is asked and nothing is written. */

import type { Timeline } from '../../console/replay/timeline.ts';
import type { ProtocolView } from '../../console/run/protocol-view.ts';
import { milliseconds } from '../../kernel/duration.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { JsonLines } from '../../plain/json-lines.ts';
import { PlainLines } from '../../plain/lines.ts';
import { textNamed, viewNamed } from '../../protocols/table.ts';
import type { Invocation } from '../invocation.ts';
import { readConfig } from '../settings/config.ts';
import { withStore } from '../store.ts';
import { displayOf } from './display.ts';
import { Desktop } from './outside.ts';
import { runOf } from './resume.ts';

export async function replay(call: Invocation): Promise<number> {
  const recorded = await withStore(call, (store) => {
    const id = store.find(runOf(call));
    const recorded = store.facts(id);
    if (recorded.length === 0)
      throw new DeliberateError('never-began', `run ${shortId(id)} never began; nothing to replay`);
    return { facts: recorded, protocol: store.summary(id).protocol };
  });
  return play(call, recorded);
}

/** A recorded run, wherever it comes from. */
interface RecordedRun {
  readonly facts: readonly AnyFact[];
  readonly protocol: string;
}

/** Plays it in the console; where there is none, tells all of it at once. Resolves to the exit code. */
export async function play(call: Invocation, { facts, protocol }: RecordedRun): Promise<number> {
  const config = readConfig(call);
  const view = await viewNamed(protocol);
  const { placeOf, timelineOf } = await import('../../console/replay/timeline.ts');
  const timeline = timelineOf(facts, view.marks);
  const wanted = call.flags.from;
  const from = wanted === undefined ? 0 : placeOf(timeline, wanted, timeIn);
  if (from === undefined)
    throw new UsageError(
      `--from ${wanted}: no such step in this run`,
      'Use a step (seat/critic, synthesis/1), a time (90s) or a share (50%).',
    );
  const display = displayOf(call);
  if (display === 'console') return inConsole(call, view, timeline, from, config.keys ?? {});
  // Nobody watches: all of it, at once.
  const listener =
    display === 'json'
      ? new JsonLines(call.out, facts[0]?.run ?? '', false)
      : new PlainLines(
          call.out,
          call.flags.quiet ? { write: () => true } : call.err,
          await textNamed(protocol),
        );
  for (const one of facts) listener.fact(one);
  return 0;
}

function timeIn(text: string): number | undefined {
  return /^\d/.test(text) ? milliseconds(text) : undefined;
}

async function inConsole(
  call: Invocation,
  view: ProtocolView,
  timeline: Timeline,
  from: number,
  keys: NonNullable<ReturnType<typeof readConfig>['keys']>,
): Promise<number> {
  const { openConsole } = await import('../../console/run/start.ts');
  const { Player } = await import('../../console/replay/playback.ts');
  const player = new Player(timeline, { speed: call.flags.speed, from });
  const outside = new Desktop(call, timeline.facts[0]?.run ?? '');
  const window = openConsole({
    view,
    subject: { facts: player.facts, feed: player.feed, playback: player },
    outside,
    screen: call.out,
    stdin: call.stdin,
    env: call.env,
    keys,
    now: () => player.now(),
  });
  const leave = (): void => window.close();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave);
  // Not before it can be held.
  void window.ready.then(() => player.start());
  try {
    await window.closed;
    if (!call.flags.quiet) call.err.write(outside.lines(call.err.isTTY));
    return 0;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, leave);
    player.stop();
  }
}
