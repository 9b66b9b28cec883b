/**
 * A script that `steps.ts` starts in a thread of its own. It loads a module with counters in its code, calls
 * one of its functions with each list of arguments, and posts how many steps each call took.
 */
import { Session } from 'node:inspector/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Job } from './steps.ts';

/**
 * The characters and elements that functions of the engine went over. Loops inside the engine have no
 * counters.
 */
let handled = 0;

type Method = (this: unknown, ...given: unknown[]) => unknown;
type Sized = string | readonly unknown[];

/** Replaces methods of a prototype by ones that add up what each call goes over. */
function countIn(
  prototype: object,
  names: readonly string[],
  sizeOf: (self: Sized, given: readonly unknown[], result: unknown) => number,
): void {
  for (const name of names) {
    const method = Reflect.get(prototype, name) as Method;
    const callAndCount = function (this: Sized, ...given: unknown[]): unknown {
      const result = method.apply(this, given);
      handled += sizeOf(this, given, result);
      return result;
    };
    Reflect.defineProperty(prototype, name, {
      value: callAndCount,
      writable: true,
      configurable: true,
    });
  }
}

/** Returns how many characters a search looks at: from its start to its hit, or to the end. */
function countSearched(indexOf: unknown): (self: Sized, given: readonly unknown[]) => number {
  return (self, [wanted, from = 0]) => {
    const at = (indexOf as Method).call(self, wanted, from) as number;
    return Math.max(1, (at < 0 ? self.length : at) - Number(from));
  };
}

/**
 * Adds counters to the functions of strings and lists whose cost grows with their input. Slices of strings
 * are views in V8 and are not counted.
 */
function countNativeWork(): void {
  countIn(
    String.prototype,
    [
      ...['normalize', 'repeat', 'replaceAll', 'split', 'toLowerCase', 'toUpperCase'],
      ...['trim', 'trimEnd', 'trimStart'],
    ],
    ({ length }) => length,
  );
  const { indexOf } = String.prototype;
  countIn(String.prototype, ['indexOf', 'includes'], countSearched(indexOf));
  countIn(Array.prototype, ['join', 'shift', 'splice', 'unshift'], ({ length }) => length);
  countIn(
    Array.prototype,
    ['concat', 'slice'],
    (_self, _given, result) => (result as Sized).length,
  );
  countIn(Array.prototype, ['indexOf', 'includes'], countSearched(Array.prototype.indexOf));
  countSearches();
}

/**
 * Counts what a search by a regular expression goes over: the text from its start to the end of the match.
 */
function countSearches(): void {
  const exec = RegExp.prototype.exec;
  RegExp.prototype.exec = function (this: RegExp, text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    const end = found === null ? String(text).length : found.index + (found[0]?.length ?? 0);
    handled += found === null && this.sticky ? 1 : Math.max(1, end - from);
    return found;
  };
}

const { module, name, calls } = workerData as Job;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
// Coverage must start before the module is loaded, because only functions compiled afterwards are
// counted.
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const loaded = (await import(module)) as Record<string, (...given: unknown[]) => unknown>;
const work = loaded[name];
if (work === undefined) throw new Error(`${module} exports no ${name}`);

/** Returns how often blocks of code were entered since the last call, and starts at zero again. */
async function takeBlocks(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  let blocks = 0;
  for (const script of result) {
    if (script.url === import.meta.url || script.url.startsWith('node:')) continue;
    for (const { ranges } of script.functions) for (const { count } of ranges) blocks += count;
  }
  return blocks;
}

countNativeWork();
const steps: number[] = [];
for (const given of calls) {
  await takeBlocks();
  handled = 0;
  const prepared = work(...given);
  if (typeof prepared === 'function') {
    await takeBlocks();
    handled = 0;
    prepared();
  }
  const counted = handled;
  steps.push(counted + (await takeBlocks()));
}
parentPort?.postMessage(steps);
