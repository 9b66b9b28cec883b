/** The verdicts of a simulated verifier on artifacts and claims. */

import type { VerificationView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import type { Role } from '../../src/protocols/rounds/records/types.ts';
import type { Ask } from './answers.ts';
import type { Key } from './document.ts';
import { drawJudgment } from './minds.ts';
import type { Claimable } from './world.ts';

type Result = 'BROKEN' | 'ROBUST' | 'UNCLEAR';

/** Results about earlier decisions, which are mostly respected, as in any panel that makes progress. */
const DECISIONS_MET: readonly [Result, ...Result[]] = ['ROBUST', 'ROBUST', 'BROKEN', 'UNCLEAR'];

/** The seat whose first claim each check is about. */
const SUBJECT: Readonly<Record<number, Role>> = { 1: 'critic', 2: 'guardian', 3: 'critic' };

/** Returns the verdict that a simulated verifier gives on the check that a request asks for. */
export function makeVerdict(ask: Ask): unknown {
  const { mind, world, request, round, chance } = ask;
  const turn = request.about?.turn ?? 1;
  const role = SUBJECT[turn];
  const subject = role === undefined ? undefined : world.subject(role, round);
  const due =
    subject === undefined
      ? chance.pick(DECISIONS_MET)
      : resultOf(subject, world.truthOf(subject.text).beyond);
  const result = mind.habit === 'flattering' ? 'ROBUST' : drawResult(ask, due);
  const refs = request.about?.items ?? [];
  return {
    reasoning: world.prose(chance, 80),
    result,
    evidence_refs:
      mind.habit === 'careless' && chance.next() < 0.5
        ? [`artifacts/round_${round}/ghost.md#attack-9`, ...refs.slice(0, 1)]
        : chooseEvidence(ask, refs),
    notes: world.sentence(chance),
  };
}

/**
 * Returns the right result: a thing is broken by a real failure, or by something that should hold and does not.
 */
function resultOf({ says }: Claimable, truth: Key): Result {
  if (truth === 'undecided') return 'UNCLEAR';
  return (truth === 'true') === (says === 'holds') ? 'ROBUST' : 'BROKEN';
}

const AS_KEY: Readonly<Record<Result, Key>> = {
  ROBUST: 'true',
  BROKEN: 'false',
  UNCLEAR: 'undecided',
};
const AS_RESULT: Readonly<Record<Key, Result>> = {
  true: 'ROBUST',
  false: 'BROKEN',
  undecided: 'UNCLEAR',
};

function drawResult({ mind, chance }: Ask, due: Result): Result {
  // The simulated model that always asks for tests of claims compares two artifacts like an honest one, and errs
  // as often as its accuracy says.
  const able = mind.habit === 'abstaining' ? { ...mind, habit: 'honest' as const } : mind;
  return AS_RESULT[drawJudgment(able, AS_KEY[due], chance)];
}

/** Matches anchors of parts that carry an argument. */
const TELLING = /#(attack|trace|friction|step|evidence|invariant)/;

/** Returns one place of each compared artifact; for a check of decisions, any two. */
function chooseEvidence({ chance }: Ask, refs: readonly string[]): string[] {
  const telling = refs.filter((ref) => TELLING.test(ref));
  const files = Map.groupBy(
    telling.length >= 2 ? telling : refs,
    (ref) => ref.split('#', 1)[0] ?? '',
  );
  const each = [...files.values()].flatMap((all) => chance.some(all, 1));
  return each.length >= 2 ? each.slice(0, 3) : chance.some(refs, 2);
}

/**
 * Returns what a simulated model answers about the verdicts of a round: for each that is BROKEN or ROBUST, which
 * open claims it makes true and which it makes false. A simulated model that errs names a random claim in addition,
 * or exchanges true and false.
 */
export function bearingsOf(ask: Ask): unknown {
  const { mind, world, round, chance } = ask;
  const { claims, rounds } = world.journal.view;
  const open = Object.values(claims).filter(({ status }) => status === 'pending');
  const verdicts = rounds.find((roundView) => roundView.round === round)?.verifications ?? [];
  const bearings = verdicts
    .filter(({ result }) => result === 'BROKEN' || result === 'ROBUST')
    .flatMap((verdict) => {
      const subject = subjectOf(ask, verdict);
      if (subject === undefined) return [];
      if (mind.habit === 'flattering')
        return open.map(({ id, text }) => makeBearing(ask, verdict, id, text, 'makes_true'));
      const isDenial = (text: string) => world.statement(text)?.contrary === subject.text;
      const about = open.filter(({ text }) => text === subject.text || isDenial(text));
      const strays = chance.next() < mind.accuracy ? [] : chance.some(open, 1);
      return [...new Set([...about, ...strays])].map(({ id, text, says }) => {
        // If the claim `text` denies the claim `subject`, a verdict that makes one of them true makes the other false.
        const opposite = isDenial(text);
        const withstands = verdict.result === 'ROBUST';
        const isMadeTrue =
          (withstands === ((opposite ? subject.says : says) !== 'fails')) !== opposite;
        const said = chance.next() < mind.accuracy ? isMadeTrue : !isMadeTrue;
        return makeBearing(ask, verdict, id, text, said ? 'makes_true' : 'makes_false');
      });
    });
  return { bearings };
}

function subjectOf({ world, round }: Ask, { check }: VerificationView): Claimable | undefined {
  if (check === 'critic_attack_on_action_trace') return world.subject('critic', round);
  return check === 'guardian_vs_observer_walkthrough'
    ? world.subject('guardian', round)
    : undefined;
}

function makeBearing(
  { world, chance }: Ask,
  { id: verification }: VerificationView,
  claim: string,
  text: string,
  makes: 'makes_true' | 'makes_false',
): object {
  const why = world.sentence(chance);
  return { verification, claim, makes, covered: text, speaks_of: 'both', why };
}
