/**
 * The record of earlier rounds in prompts, which contains results instead of transcripts. Within a
 * block of rounds, the text only grows at its end, so that providers can cache its beginning. At
 * the start of each block, all earlier rounds are summed up again, so that late rounds cost about
 * as much as early ones.
 */

import { entryOf } from '../../../kernel/entry.ts';
import { withoutFalse } from '../../../text/without-undefined.ts';
import type { ClaimView, RoundsView, RoundView } from '../claims/rounds-view.ts';
import { EXECUTED_TEST } from '../records/types.ts';
import { shortenForPrompt } from './short.ts';

/** The number of rounds in a block, after which the past is summed up again. */
const BLOCK = 5;

/** The most decisions and open claims that a summary contains, the newest of each. Older ones are left out. */
const DECISIONS_KEPT = 8;
const CLAIMS_KEPT = 16;

/**
 * Returns what is on record of all rounds before `round`, as parts of a prompt. Every five completed rounds are
 * summarized; the part of these summaries comes first, then a part for each later round.
 */
export function formatEarlierRounds(view: RoundsView, round: number): string[] {
  if (round <= 1) return [];
  const start = Math.floor((round - 1) / BLOCK) * BLOCK;
  const past = view.rounds.filter((roundView) => roundView.round < round);
  const summed = past.filter((roundView) => roundView.round <= start);
  const recent = past.filter((roundView) => roundView.round > start);
  return [
    ...(summed.length > 0 ? [summarizeRounds(view, summed, start)] : []),
    ...recent.map((roundView) => formatRound(view, roundView)),
  ];
}

/** Returns the status that a claim had at the end of a round. */
function statusAt(claim: ClaimView, round: number): ClaimView['status'] {
  return claim.moves.filter((move) => move.round <= round).at(-1)?.to ?? 'pending';
}

function summarizeRounds(view: RoundsView, rounds: readonly RoundView[], upTo: number): string {
  const claims = Object.values(view.claims).filter((claim) => claim.round <= upTo);
  const by = new Map<string, ClaimView[]>();
  for (const claim of claims) {
    const status = statusAt(claim, upTo);
    by.set(status, [...(by.get(status) ?? []), claim]);
  }
  const open = [...(by.get('pending') ?? []), ...(by.get('tested_unclear') ?? [])].slice(
    -CLAIMS_KEPT,
  );
  const decisions = rounds.flatMap((round) => round.decisions);
  const last = rounds.at(-1);
  // The summary keeps the tests by commands of all summed-up rounds, because tests outweigh arguments.
  const tests = rounds
    .flatMap(({ verifications }) => verifications)
    .filter(({ check }) => check === EXECUTED_TEST);
  return withoutFalse([
    `Record of rounds 1 to ${upTo}, summed up.`,
    `Claims: ${[...by].map(([status, list]) => `${list.length} ${status}`).join(', ') || 'none'}.`,
    `Open claims:\n${formatBullets(open.map((claim) => `${claim.id} (${statusAt(claim, upTo)}): ${shortenForPrompt(claim.text, 160)}`))}`,
    tests.length > 0 &&
      `Tests that were run:\n${formatBullets(tests.map(({ id, result, notes }) => `${id}: ${result}. ${shortenForPrompt(notes, 240)}`))}`,
    `Decisions${decisions.length > DECISIONS_KEPT ? ` (the last ${DECISIONS_KEPT} of ${decisions.length})` : ''}:\n${formatBullets(decisions.slice(-DECISIONS_KEPT).map(({ id, text }) => `${id}: ${shortenForPrompt(text, 200)}`))}`,
    `Open tensions:\n${formatBullets((last?.tensions ?? []).map((tension) => shortenForPrompt(tension, 160)))}`,
  ]).join('\n\n');
}

function formatRound(view: RoundsView, round: RoundView): string {
  const claims = round.raised.flatMap((id) => entryOf(view.claims, id) ?? []);
  return [
    `Round ${round.round}, led by ${round.lead}${round.absent ? `, without ${round.absent}` : ''}.`,
    `Artifacts: ${round.artifacts.map(({ path, markdown }) => `${path} (${getHeading(markdown)})`).join('; ') || 'none'}.`,
    `Verdicts:\n${formatBullets(round.verifications.map(({ id, check, result, notes }) => `${id} ${check}: ${result}. ${shortenForPrompt(notes, check === EXECUTED_TEST ? 240 : 160)}`))}`,
    `Claims raised:\n${formatBullets(claims.map(({ id, raised_by, text }) => `${id} (${raised_by}): ${shortenForPrompt(text, 220)}`))}`,
    `Claims moved:\n${formatBullets(round.moves.map(({ claim, from, to }) => `${claim}: ${from} → ${to}`))}`,
    `Decisions:\n${formatBullets(round.decisions.map(({ id, text }) => `${id}: ${shortenForPrompt(text, 260)}`))}`,
    `Open tensions:\n${formatBullets(round.tensions.map((tension) => shortenForPrompt(tension, 160)))}`,
  ].join('\n');
}

function getHeading(markdown: string): string {
  return shortenForPrompt(/^# (.+)$/m.exec(markdown)?.[1] ?? '', 80);
}

function formatBullets(items: readonly string[]): string {
  return items.length === 0 ? '- none' : items.map((item) => `- ${item}`).join('\n');
}
