/** The part of Vitest's API that tests on Node for Windows need. Tests are collected, then run one by one. */
import { install, expect as jest, ModuleMocker } from 'jest-expect';

let group;

/** Loads a file of tests and returns its top group. */
export async function collect(load) {
  const top = newGroup('', undefined);
  group = top;
  await load();
  return top;
}

function newGroup(name, parent) {
  return { name, parent, members: [], before: [], after: [], all: [], last: [] };
}

/**
 * Runs the tests of a group, except tests for whose name `isSkipped` returns true. Calls `tell` once for each
 * test with its name, with `error` if it failed, and with `skipped` if it did not run.
 */
export async function perform(one, tell, isSkipped) {
  for (const work of one.all) await work();
  for (const member of one.members) {
    if (member.members !== undefined) {
      await perform(member, tell, isSkipped);
      continue;
    }
    const name = [...namesOf(one), member.name].join(' > ');
    if (member.skipped || isSkipped(name)) tell({ name, skipped: true });
    else tell({ name, ...(await attempt(one, member)) });
  }
  for (const work of one.last) await tidy(work);
}

/** Runs a cleanup, ignoring that Windows cannot remove open files, which is no failure of the test. */
async function tidy(work) {
  try {
    await work();
  } catch (error) {
    if (!/^(?:EBUSY|ENOTEMPTY|EPERM)$/.test(error?.code ?? '')) throw error;
  }
}

function namesOf(one) {
  return one === undefined || one.name === '' ? [] : [...namesOf(one.parent), one.name];
}

let finished = [];

async function attempt(one, { work }) {
  const groups = [];
  for (let at = one; at !== undefined; at = at.parent) groups.unshift(at);
  finished = [];
  const context = { skip: (when) => when !== false && skip(), expect };
  try {
    for (const { before } of groups) for (const first of before) await first(context);
    await Promise.race([work(context), late()]);
    for (const { after } of groups.toReversed())
      for (const last of after) await tidy(() => last(context));
    return {};
  } catch (error) {
    if (error === SKIPPED) return { skipped: true };
    return { error: `${error?.stack ?? error}` };
  } finally {
    stopTimer(timer);
    for (const end of finished.toReversed()) await tidy(end);
  }
}

const SKIPPED = new Error('skipped');

function skip() {
  throw SKIPPED;
}

let timer;
// Keep the real timers, because tests replace the global ones.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

function late() {
  return new Promise((_, reject) => {
    // This timer keeps the process alive if a test waits for something that never happens.
    timer = startTimer(() => reject(new Error('not over after 60 s')), 60_000);
  });
}

function maker(add) {
  const make = (skipped) => {
    const one = (name, ...rest) => {
      const work = rest.find((part) => typeof part === 'function');
      add(String(name), work ?? (() => undefined), skipped || work === undefined);
    };
    one.each =
      (rows, ...values) =>
      (name, ...rest) => {
        const work = rest.find((part) => typeof part === 'function');
        const list = Array.isArray(rows) && rows.raw === undefined ? rows : tableOf(rows, values);
        list.forEach((row, at) => {
          const parts = Array.isArray(row) ? row : [row];
          add(titled(name, parts, at), () => work(...parts), skipped);
        });
      };
    one.for = (rows) => (name, work) => {
      rows.forEach((row, at) => {
        add(
          titled(name, Array.isArray(row) ? row : [row], at),
          (context) => work(row, context),
          skipped,
        );
      });
    };
    return one;
  };
  const whole = make(false);
  whole.skip = make(true);
  whole.todo = make(true);
  whole.only = whole;
  whole.sequential = whole;
  whole.concurrent = whole;
  whole.runIf = (wanted) => (wanted ? whole : whole.skip);
  whole.skipIf = (unwanted) => (unwanted ? whole.skip : whole);
  return whole;
}

function tableOf(strings, values) {
  const names = strings[0].split('|').map((name) => name.trim());
  const rows = [];
  for (let at = 0; at < values.length; at += names.length)
    rows.push(Object.fromEntries(names.map((name, index) => [name, values[at + index]])));
  return rows;
}

function titled(name, parts, at) {
  let next = 0;
  return String(name)
    .replace(/%[sdijo]/g, (which) => {
      const part = parts[next++];
      return which === '%j' || which === '%o' ? JSON.stringify(part) : String(part);
    })
    .replaceAll('%#', String(at));
}

/** Defines a test. */
export const it = maker((name, work, skipped) => group.members.push({ name, work, skipped }));
/** Defines a test. */
export const test = it;
/** Defines a group of tests. */
export const describe = maker((name, work, skipped) => {
  const own = newGroup(name, group);
  group.members.push(own);
  group = own;
  if (!skipped) work();
  group = own.parent;
});
/** Registers work to do before each test of a group. */
export const beforeEach = (work) => group.before.push(work);
/** Registers work to do after each test of a group. */
export const afterEach = (work) => group.after.push(work);
/** Registers work to do before the tests of a group. */
export const beforeAll = (work) => group.all.push(work);
/** Registers work to do after the tests of a group. */
export const afterAll = (work) => group.last.push(work);
/** Registers work to do after the present test. */
export const onTestFinished = (work) => finished.push(work);
/** Throws an error unless a condition holds. */
export const assert = (holds, words) => {
  if (!holds) throw new Error(words ?? 'does not hold');
};

jest.extend({
  toSatisfy: (given, holds) => ({
    pass: Boolean(holds(given)),
    message: () => `${given} does not satisfy`,
  }),
  toBeTypeOf: (given, type) => ({
    pass: typeof given === type,
    message: () => `${given} is no ${type}`,
  }),
  toBeOneOf: (given, list) => ({
    pass: list.includes(given),
    message: () => `${given} is none of ${list}`,
  }),
});
/** Jest's `expect`, with the additions of Vitest that tests use. */
export const expect = Object.assign((given) => jest(given), jest, {
  soft: (given) => jest(given),
  unreachable: (words) => {
    throw new Error(words ?? 'unreachable');
  },
  poll: (ask, { timeout = 10_000, interval = 20 } = {}) =>
    new Proxy(
      {},
      {
        get: (_, matcher) =>
          matcher === 'not'
            ? poll(ask, timeout, interval, (given) => jest(given).not)
            : poll(ask, timeout, interval, (given) => jest(given))[matcher],
      },
    ),
});

function poll(ask, timeout, interval, on) {
  return new Proxy(
    {},
    {
      get:
        (_, matcher) =>
        async (...args) => {
          const until = performance.now() + timeout;
          for (;;)
            try {
              return on(await ask())[matcher](...args);
            } catch (error) {
              if (performance.now() > until) throw error;
              await new Promise((resolve) => startTimer(resolve, interval));
            }
        },
    },
  );
}

const mocks = new ModuleMocker(globalThis);
let clock;
const stubbed = {};
/** The part of Vitest's `vi` that tests use. */
export const vi = {
  fn: (work) => mocks.fn(work),
  spyOn: (...what) => mocks.spyOn(...what),
  restoreAllMocks: () => mocks.restoreAllMocks(),
  useFakeTimers: (options = {}) => {
    clock?.uninstall();
    clock = install(options);
  },
  useRealTimers: () => {
    clock?.uninstall();
    clock = undefined;
  },
  setSystemTime: (time) => clock.setSystemTime(time),
  advanceTimersByTime: (ms) => clock.tick(ms),
  advanceTimersByTimeAsync: (ms) => clock.tickAsync(ms),
  runAllTimersAsync: () => clock.runAllAsync(),
  getTimerCount: () => clock.countTimers(),
  stubEnv: (name, value) => {
    stubbed[name] ??= process.env[name] ?? null;
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  },
  unstubAllEnvs: () => {
    for (const [name, value] of Object.entries(stubbed)) {
      if (value === null) delete process.env[name];
      else process.env[name] = value;
      delete stubbed[name];
    }
  },
  waitFor: async (work, { timeout = 1_000, interval = 50 } = {}) => {
    const until = performance.now() + timeout;
    for (;;)
      try {
        return await work();
      } catch (error) {
        if (performance.now() > until) throw error;
        await new Promise((resolve) => startTimer(resolve, interval));
      }
  },
  waitUntil: (holds, options) =>
    vi.waitFor(async () => {
      const value = await holds();
      if (!value) throw new Error('it never held');
      return value;
    }, options),
};
/** The part of Vitest's test runner that tests use. */
export const TestRunner = { getCurrentTest: () => ({ context: { skip } }) };
/** Checks no types; accepts every assertion. */
export const expectTypeOf = () => new Proxy(() => undefined, { get: () => () => undefined });
