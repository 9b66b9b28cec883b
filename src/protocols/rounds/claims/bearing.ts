/**
 * Decides open claims by the verdicts of a round. The verifier says whether a verdict makes a claim
 * true or false, and code derives the same from the result and from what the claim says. If the two
 * differ, the claim stays open. A verdict decides a claim only if all of this holds:
 *
 * - the claim is pending, and one of the newest `CLAIMS_SHOWN`;
 * - the check compares two roles, and its verdict is ROBUST or BROKEN and cites places of both;
 * - the verifier has passed the reading test and has not missed too many controls since;
 * - what the verifier says of the claim covers the share `COVERED` of the claim's meaningful words;
 * - all verdicts of the round that bear on the claim agree.
 */

import type { Reply } from '../../../kernel/call.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { plainWords } from '../../../text/words/quotation.ts';
import { findMeaningfulWords } from '../../../text/words/telling.ts';
import { collectPassages } from '../cited-sources.ts';
import type { RoundsConfig } from '../config.ts';
import { type FactBody, fact } from '../facts.ts';
import {
  type Bearing,
  bearingsSchema,
  bearingsTask,
  looseBearingSchema,
} from '../prompts/claims.ts';
import { isSince } from '../prompts/order.ts';
import { VOIDING_WRONG_CONTROLS } from '../reader/controls.ts';
import { getCitedText } from '../records/sections.ts';
import type { Piece, RoundsRun } from '../rounds-run.ts';
import type { ClaimView, VerificationView } from './rounds-view.ts';

/** The most open claims in one prompt, newest first. A model would not consider more. */
const CLAIMS_SHOWN = 24;
/** The least share of a claim's meaningful words that a verdict must cover to decide the claim. */
const COVERED = 0.5;
/** The most characters that are shown of a cited place. */
const PLACE_SHOWN = 400;

/**
 * The two checks whose verdicts can decide claims. The other two checks are about friction and about decisions.
 */
const MOVING: ReadonlySet<VerificationView['check']> = new Set([
  'critic_attack_on_action_trace',
  'guardian_vs_observer_walkthrough',
]);

/**
 * Decides open claims by the verdicts of a round's checks, and records their new statuses. A
 * claim's status changes only if the verifier and the rules in code agree on the change. Nothing is decided if
 * no model has passed the reading test.
 */
export async function decideByVerdicts(roundsRun: RoundsRun, round: number): Promise<void> {
  const verdicts = roundsRun
    .round(round)
    .verifications.filter(
      ({ check, result }) => MOVING.has(check) && (result === 'ROBUST' || result === 'BROKEN'),
    );
  const open = Object.values(roundsRun.view.claims)
    .filter(({ status }) => status === 'pending')
    .slice(-CLAIMS_SHOWN);
  if (roundsRun.reader === undefined || verdicts.length === 0 || open.length === 0) return;
  if (hasMisread(roundsRun)) {
    const why = 'the controls of an earlier reading were wrong: its reader moves nothing';
    const text = 'The verdicts of this round';
    await roundsRun.record(`round-${round}/F/moves`, [
      fact('refusal.recorded', { round, kind: 'bearing', by: 'verifier', text, why }),
    ]);
    return;
  }
  const schema = bearingsSchema(
    verdicts.map(({ id }) => id),
    open.map(({ id }) => id),
  );
  const reply = await roundsRun.ask('F/bearings', roundsRun.verifier, round, {
    kind: 'bearings',
    pieces: [
      ...verdicts.map((verdict) => showVerdict(roundsRun, round, verdict)),
      ...open.map(({ id, text, says, about }) => ({
        from: id,
        text: `${text}\n(what it says of its subject: ${says ?? 'holds'}; about: ${about ?? 'plan'})`,
      })),
    ],
    schema,
    task: bearingsTask(roundsRun.settings.prompts),
  });
  await roundsRun.record(
    `round-${round}/F/moves`,
    makeMoveFacts(roundsRun, round, verdicts, bearingsOf(reply)),
  );
}

/**
 * Returns whether the reader's model has missed so many controls of one round that it must not decide claims by
 * verdicts either. Always false before edition 4 of the rules.
 */
function hasMisread({ settings, view, reader }: RoundsRun): boolean {
  return (
    isSince(settings.rules, 4) &&
    view.rounds.some(
      ({ controls }) =>
        controls.filter(({ model, right }) => !right && model === reader).length >=
        VOIDING_WRONG_CONTROLS,
    )
  );
}

/** Returns a verdict for the prompt, with its reasons and the cited texts. */
function showVerdict(roundsRun: RoundsRun, round: number, verdict: VerificationView): Piece {
  const { artifacts } = roundsRun.round(round);
  const places = verdict.evidence_refs.flatMap((ref) => {
    const text = getCitedText(artifacts, ref, PLACE_SHOWN) ?? citedResult(roundsRun, ref);
    return text === undefined ? [] : [`${ref}: ${text}`];
  });
  return {
    from: verdict.id,
    text: [
      `${verdict.check}: ${verdict.result}. ${verdict.notes}`,
      ...(verdict.reasoning === undefined ? [] : [verdict.reasoning]),
      ...places,
    ].join('\n'),
  };
}

/**
 * Returns the cited lines of a tool result as one line, cut to `PLACE_SHOWN` characters. Returns undefined if the
 * citation names no tool result.
 */
function citedResult({ view }: RoundsRun, ref: string): string | undefined {
  const [passage] = collectPassages([ref], view.sources);
  const line = passage?.text.replace(/\s+/g, ' ');
  return line === undefined || line.length <= PLACE_SHOWN
    ? line
    : `${line.slice(0, PLACE_SHOWN - 1)}…`;
}

/**
 * Returns what the verifier says each verdict means for a claim. Each entry of its answer is read by itself, so that
 * an invalid entry does not affect the others. Entries by which a verdict says nothing about a claim are left
 * out.
 */
function bearingsOf(reply: Reply): Bearing[] {
  const value = reply.status === 'done' ? reply.value : undefined;
  const list =
    typeof value === 'object' && value !== null && 'bearings' in value ? value.bearings : [];
  return (Array.isArray(list) ? list : []).flatMap((item) => {
    const read = looseBearingSchema.safeParse(item);
    return read.success && read.data.makes !== 'says_nothing' ? [read.data] : [];
  });
}

/**
 * Derives from the result of a verdict whether it makes a claim true or false. ROBUST makes a claim false that says
 * that something fails, and any other claim true. BROKEN does the opposite.
 */
function makesByCode(result: VerificationView['result'], claim: ClaimView): Bearing['makes'] {
  return (result === 'ROBUST') === (claim.says !== 'fails') ? 'makes_true' : 'makes_false';
}

function makeMoveFacts(
  roundsRun: RoundsRun,
  round: number,
  verdicts: readonly VerificationView[],
  bearings: readonly Bearing[],
): FactBody[] {
  const facts: FactBody[] = [];
  const agreed = new Map<string, { verdict: VerificationView; bearing: Bearing }[]>();
  for (const bearing of bearings) {
    const verdict = verdicts.find(({ id }) => id === bearing.verification);
    const claim = entryOf(roundsRun.view.claims, bearing.claim);
    if (verdict === undefined || claim?.status !== 'pending') continue;
    if (!isClaimCovered(bearing, claim, roundsRun.settings.rules) || !isSameSubject(bearing, claim))
      continue;
    const due = makesByCode(verdict.result, claim);
    if (due === bearing.makes)
      agreed.set(claim.id, [...(agreed.get(claim.id) ?? []), { verdict, bearing }]);
    else
      facts.push(
        makeRefusal(
          round,
          claim,
          `${verdict.id} ${bearing.makes === 'makes_true' ? 'makes it true' : 'makes it false'}: ${bearing.why}`,
          `by its result (${verdict.result}) and what ${claim.id} says of itself it would be ${due === 'makes_true' ? 'true' : 'false'}`,
        ),
      );
  }
  for (const [id, entries] of agreed) {
    const claim = entryOf(roundsRun.view.claims, id);
    const [first] = entries;
    if (claim === undefined || first === undefined) continue;
    const ways = new Set(entries.map(({ bearing }) => bearing.makes));
    if (ways.size > 1) {
      const ids = entries.map(({ verdict }) => verdict.id).join(' and ');
      facts.push(
        makeRefusal(round, claim, `${ids} on ${id}`, 'one makes it true and the other false'),
      );
      continue;
    }
    facts.push(
      fact('claim.moved', {
        claim: id,
        round,
        from: 'pending',
        verification: first.verdict.id,
        to: first.bearing.makes === 'makes_true' ? 'tested_confirmed' : 'tested_refuted',
        stance: claim.says === 'fails' ? 'attacks' : 'upholds',
        bearing: 'whole',
        basis: 'argued',
        refs: [...new Set(entries.flatMap(({ verdict }) => verdict.evidence_refs))],
        why: first.bearing.why,
      }),
    );
  }
  return facts;
}

/**
 * Returns whether the words that the verifier calls covered by a verdict include a sufficient share of the claim's
 * meaningful words. Before edition 3 of the rules, every word counted, including words such as "the".
 */
function isClaimCovered(
  { covered }: Bearing,
  { text }: ClaimView,
  rules: RoundsConfig['rules'],
): boolean {
  const words = isSince(rules, 3) ? findMeaningfulWords(text) : plainWords(text);
  const said = new Set(plainWords(covered));
  return words.filter((word) => said.has(word)).length >= words.length * COVERED;
}

function isSameSubject({ speaks_of }: Bearing, { about = 'plan' }: ClaimView): boolean {
  return speaks_of === 'both' || speaks_of === about;
}

function makeRefusal(round: number, { id }: ClaimView, text: string, why: string): FactBody {
  return fact('refusal.recorded', { round, kind: 'bearing', by: 'verifier', id, text, why });
}
