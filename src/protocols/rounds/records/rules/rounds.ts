/**
 * Rules for what every round has once: its lead, its four checks, and a drift check if one was due.
 */

import {
  LEADS_FILE,
  pagePath,
  parsePagePath,
  SYNTHESIS_FILE,
  VERIFICATIONS_FILE,
} from '../layout.ts';
import { CHECKS, type Check } from '../types.ts';

import {
  type Context,
  type Errors,
  type Guarded,
  makeFileReporter,
  makeLeadReporter,
  makeVerificationReporter,
  type Warnings,
} from './context.ts';

/**
 * Checks that no round has two entries for its lead, that no lead is the absent role, and that finished rounds have
 * all four checks.
 */
export function* checkRounds(context: Context): Errors {
  yield* checkLeads(context);
  yield* checkMissing(context);
}

function* checkLeads(context: Context): Errors {
  const { records, lineOf } = context;
  const entries = new Map<number, number>();
  for (const entry of records.leads) {
    const { round, lead, absent_agent } = entry;
    const say = makeLeadReporter(context, entry);
    if (lead === absent_agent)
      yield say('absent-lead', `the ${lead} leads round ${round} and is absent from it`);
    const first = entries.get(round);
    if (first !== undefined)
      yield say('doubled-lead', `round ${round} has its lead on line ${first} already`);
    else entries.set(round, lineOf.get(entry) ?? 0);
  }
}

/** Reports missing checks, if the folder says which rounds were completed. */
function* checkMissing({ records, torn }: Context): Errors {
  if (records.completed === undefined || torn.has(VERIFICATIONS_FILE)) return;
  const made = new Map<number, Set<Check>>();
  for (const { round, check } of records.verifications)
    made.set(round, (made.get(round) ?? new Set()).add(check));
  const say = makeFileReporter(VERIFICATIONS_FILE);
  for (const round of new Set(records.completed)) {
    const missing = CHECKS.filter((check) => !made.get(round)?.has(check));
    if (missing.length > 0)
      yield say('missing-check', `round ${round} is complete, but has no ${missing.join(', no ')}`);
  }
}

/**
 * Reports two verdicts of a round from the same one of the four checks, and rounds without an entry that says which
 * role led them.
 */
export function* checkOnce(context: Context): Guarded {
  yield* checkDoubled(context);
  yield* checkLed(context);
}

/** Reports checks that were made twice in a round, because they would be counted twice. */
function* checkDoubled(context: Context): Guarded {
  const made = new Map<string, string>();
  for (const verification of context.records.verifications) {
    if (!(CHECKS as readonly Check[]).includes(verification.check)) continue;
    const key = `${verification.round} ${verification.check}`;
    const first = made.get(key);
    if (first === undefined) made.set(key, verification.id);
    else
      yield makeVerificationReporter(context, verification)(
        'doubled-check',
        `${verification.check} of round ${verification.round} is ${first} already`,
      );
  }
}

function* checkLed({ records, torn }: Context): Guarded {
  const { leads, verifications, completed, synthesisRound = Infinity } = records;
  if (torn.has(LEADS_FILE) || (leads.length === 0 && completed === undefined)) return;
  const led = new Set(leads.map(({ round }) => round));
  for (const round of new Set(completed ?? verifications.map((verification) => verification.round)))
    if (!led.has(round) && round < synthesisRound)
      yield makeFileReporter(LEADS_FILE)('missing-lead', `nothing says who led round ${round}`);
}

/**
 * Warns of drift checks that were due and are missing. This is only a warning, because a fork may
 * have another plan, and a run may have been stopped.
 */
export function* checkMissingDrifts({ records, folder, over }: Context): Warnings {
  const { driftEvery, drifts, refusals = [] } = records;
  if (driftEvery === undefined) return;
  const last = over.at(-1);
  const held = new Set(drifts.map(({ round }) => round));
  // A drift check is not missing if its call failed and the records of refusals say so.
  for (const { kind, round, by, text } of refusals)
    if (kind === 'call' && /\bH\/drift\b/.test(`${by} ${text}`)) held.add(round);
  const pages = new Map([...folder.keys()].map((path) => [parsePagePath(path), path]));
  for (const round of over) {
    const mayCome =
      round === last && records.completed !== undefined && !folder.has(SYNTHESIS_FILE);
    if (round % driftEvery !== 0 || held.has(round) || mayCome) continue;
    const page = pages.get(round);
    yield makeFileReporter(page ?? pagePath(round))(
      'missing-drift',
      page === undefined
        ? `a drift check was due in round ${round}, and its page does not exist`
        : `a drift check was due in round ${round}, and the page holds none that can be read`,
    );
  }
}
