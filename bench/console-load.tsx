/**
 * Produces one load on the console: seats stream at a set speed, drawn by the real console on the terminal in
 * which this process was started. bench/console.ts starts it once for each row of its table.
 */

import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openConsole } from '../src/console/run/start.ts';
import { Output } from '../src/io/output.ts';
import { view } from '../src/protocols/board/view/console.ts';
import { FakeRun, makeFakeSeat, makeProse } from '../test/console/fake-run.ts';

/** What the measured console shows: seats whose text streams at a set speed. */
export interface Load {
  readonly seats: number;
  /** How many tokens each seat writes in a second. */
  readonly tokensPerSecond: number;
  /** Tokens that every seat has written before the measurement begins. */
  readonly before: number;
  /** How many seconds are measured. */
  readonly seconds: number;
  /** The path of the file into which the measured cost is written, as JSON. */
  readonly result: string;
}

/** What it cost the console's process to draw streaming seats. */
export interface DrawCost {
  /** Milliseconds of processor time for each second that was measured. */
  readonly cpuMsPerSecond: number;
  /** The 99th percentile of the event loop's delay, in milliseconds. */
  readonly loopP99Ms: number;
  /** How many seconds were measured. */
  readonly seconds: number;
}

const WARM_UP_MS = 2500;
const RESOLUTION_MS = 10;
const CHARS_PER_TOKEN = 4;

const load = JSON.parse(process.env.CONSOLE_LOAD ?? '{}') as Load;
const run = new FakeRun();
Object.defineProperty(run, 'time', { get: () => Date.now(), set: () => undefined });
const seats = Array.from({ length: load.seats }, (_, index) =>
  makeFakeSeat(`seat-${index}x`, `Seat ${index + 1}`, 'ollama/qwen3:8b'),
);

run.open('How much does it cost to look at this?', seats);
const shown = openConsole({
  view,
  subject: { facts: run.facts, feed: run.bus },
  outside: {
    copy: () => Promise.resolve(undefined),
    save: () => Promise.reject(new Error('nothing is saved here')),
    draft: () => '',
    keepDraft: () => undefined,
  },
  screen: new Output(1, process.stdout),
  stdin: process.stdin,
  env: process.env,
});

/** Returns text in the form in which models write: paragraphs, lists, headings. */
function writeArticle(seed: number, words: number): string {
  const parts: string[] = [];
  for (let done = 0; done < words; done += 130)
    parts.push(
      `## Point ${done / 130 + 1}`,
      makeProse(seed + done, 70),
      `- **${makeProse(seed + done + 1, 4)}** ${makeProse(seed + done + 2, 16)}\n- ${makeProse(seed, 20)}`,
      makeProse(seed + done + 3, 20),
    );
  return parts.join('\n\n');
}

const texts = seats.map((_, index) => writeArticle(index + 1, 2000));
for (const [index, { id }] of seats.entries()) {
  run.ask(id).send(id);
  if (load.before > 0) run.say(id, writeArticle(index + 1, load.before));
}

const timers = seats.map(({ id }, index) => {
  const text = texts[index] ?? '';
  let at = 0;
  return setInterval(() => {
    // Publish the text with `bus.live`, as the kernel does, because the bus then collects pieces of text as
    // in a real run. `run.say` would send each piece at once.
    run.bus.live({
      type: 'text',
      text: text.slice(at, at + CHARS_PER_TOKEN),
      step: `seat/${id}`,
      seat: id,
      call: `attempt-${index + 1}`,
    });
    at = (at + CHARS_PER_TOKEN) % (text.length - CHARS_PER_TOKEN);
  }, 1000 / load.tokensPerSecond);
});

setTimeout(() => {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const cpu = process.cpuUsage();
  const start = performance.now();
  process.stdout.write('\u001b]9;begin\u0007');
  setTimeout(() => {
    const { user, system } = process.cpuUsage(cpu);
    const seconds = (performance.now() - start) / 1000;
    process.stdout.write('\u001b]9;end\u0007');
    delay.disable();
    for (const timer of timers) clearInterval(timer);
    const measured: DrawCost = {
      cpuMsPerSecond: (user + system) / 1000 / seconds,
      loopP99Ms: delay.percentile(99) / 1e6 - RESOLUTION_MS,
      seconds,
    };
    writeFileSync(load.result, JSON.stringify(measured));
    shown.close();
  }, load.seconds * 1000);
}, WARM_UP_MS);

await shown.closed;
process.exit(0);
