/**
 * Claims that simulated seats raise, withdraw and dispute: from the document's statements, and after those
 * from the plan.
 */

import { Chance } from '../../src/protocols/rehearsal/chance.ts';
import type { ClaimView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import { ROLES } from '../../src/protocols/rounds/records/types.ts';
import type { Ask } from './answers.ts';
import { drawJudgment } from './minds.ts';
import type { Claimable } from './world.ts';

interface Handed extends Claimable {
  readonly replaces: string;
}

const IF_FALSE = 'The answer would no longer be the same.';
/** The probability that a seat raises two claims if it may raise one or two. */
const GENEROUS = 0.4;

/** Returns the claims that a simulated seat raises in its artifact, in the form that the artifact's schema requires. */
export function listRaised(ask: Ask): object[] {
  return chooseClaims(ask).map(({ text, test, decidedBy, says, about, replaces }) => ({
    text,
    testable_as: test,
    decided_by: decidedBy,
    says,
    about,
    if_false: IF_FALSE,
    replaces,
  }));
}

/** Returns the claim that a simulated seat's artifact of a round is about: the first that the seat raises in it. */
export function subjectOf(ask: Ask): Claimable {
  const { world, role, round } = ask;
  return world.subject(role, round) ?? chooseClaims(ask)[0] ?? world.plan(role, round, 0);
}

/** Chooses the claims of a round once, whatever task asks first. */
function chooseClaims(ask: Ask): readonly Handed[] {
  const { world, role, round, request, chance, mind } = ask;
  return world.once(`claims/${round}/${role}`, () => {
    const { least, most } = request.about?.count ?? { least: 1, most: 2 };
    const generous = round === 1 || chance.next() < GENEROUS;
    const wanted = generous ? most : least;
    const claims = mind.habit === 'sabotaging' ? sabotageClaims(ask) : overturnClaims(ask);
    for (let turn = 0; claims.length < wanted; turn++) claims.push(makeNextClaim(ask, turn));
    const taken = claims.slice(0, wanted);
    if (taken[0] !== undefined) world.handIn(role, round, taken[0]);
    return taken;
  });
}

/** Returns the next claim of the seat's own. */
function makeNextClaim(ask: Ask, turn: number): Handed {
  const { mind, world, role, round, chance } = ask;
  // Careless and flattering models sometimes copy a sentence of the document as their claim.
  const copies = mind.habit === 'careless' || mind.habit === 'flattering';
  if (copies && chance.next() < 0.2) return { ...copyStatement(ask), replaces: '' };
  const topic = world.draw(role);
  if (topic === undefined) return { ...world.plan(role, round, turn), replaces: '' };
  const [first, second = first] = topic;
  const [right, wrong] = first.key === 'false' ? [second, first] : [first, second];
  const said = {
    honest: chance.next() < (mind.accuracy + 0.5) / 2 ? right : wrong,
    abstaining: chance.next() < (mind.accuracy + 0.5) / 2 ? right : wrong,
    careless: chance.next() < 0.5 ? right : wrong,
    flattering: right.says === 'holds' ? right : wrong,
    // A saboteur raises a planted flaw as its own claim, so that it can withdraw the claim later.
    sabotaging: right.flaw === undefined ? wrong : right,
  }[mind.habit];
  return { ...misjudgeClaim(ask, world.claimable(said)), replaces: '' };
}

/**
 * A model that errs says that a command decides what can be read, or takes a failure for something that
 * holds.
 */
function misjudgeClaim({ mind, chance }: Ask, claim: Claimable): Claimable {
  if (chance.next() < mind.accuracy) return claim;
  if (mind.habit === 'careless' && chance.next() < 0.5)
    return { ...claim, says: claim.says === 'holds' ? 'fails' : 'holds' };
  return { ...claim, decidedBy: claim.decidedBy === 'reading' ? 'running' : 'reading' };
}

function copyStatement({ world, chance }: Ask): Claimable {
  const padding = world.document.statements.filter(({ kind }) => kind === 'padding');
  const [statement] = chance.some(padding, 1);
  if (statement === undefined) throw new Error(`${world.document.name} has nothing to copy`);
  return world.claimable(statement);
}

/** Denies claims that were decided wrongly, and takes up those that were withdrawn wrongly. */
function overturnClaims(ask: Ask): Handed[] {
  const { mind, world, role, chance } = ask;
  const claims = Object.values(world.journal.view.claims);
  if (mind.habit === 'flattering') return [];
  if (mind.habit === 'careless')
    return chance.next() < 0.3 && claims.length > 0
      ? [{ ...copyStatement(ask), ...contraryOf(ask, claims[0]), replaces: anyId(ask) }]
      : [];
  return claims.flatMap((claim): Handed[] => {
    if (!isMine(ask, claim)) return [];
    const believed = getBelief(ask, claim);
    if (isWithdrawn(claim) && claim.raised_by !== role && believed === 'true') {
      const own = world.statement(claim.text);
      return own === undefined ? [] : [{ ...world.claimable(own), replaces: claim.id }];
    }
    const wrong =
      (claim.status === 'tested_confirmed' && believed === 'false') ||
      (claim.status === 'tested_refuted' && believed === 'true');
    const denial = wrong ? contraryOf(ask, claim) : undefined;
    return denial === undefined ? [] : [{ ...denial, replaces: claim.id }];
  });
}

/** Denies confirmed flaws of the document, copies, and repeats what others said. */
function sabotageClaims(ask: Ask): Handed[] {
  const { world, chance } = ask;
  const flaws = flawsIn(ask).filter(({ status }) => status === 'tested_confirmed');
  const denials = chance.some(flaws, 1).flatMap((claim): Handed[] => {
    const denial = contraryOf(ask, claim);
    return denial === undefined ? [] : [{ ...denial, replaces: claim.id }];
  });
  const others = Object.values(world.journal.view.claims);
  const [echo] = chance.next() < 0.3 ? chance.some(others, 1) : [];
  const own = echo === undefined ? undefined : world.statement(echo.text);
  return [
    ...denials,
    ...(chance.next() < 0.3 ? [{ ...copyStatement(ask), replaces: '' }] : []),
    ...(own === undefined ? [] : [{ ...world.claimable(own), replaces: '' }]),
  ];
}

function contraryOf({ world }: Ask, claim: ClaimView | undefined): Claimable | undefined {
  const contrary = claim === undefined ? undefined : world.statement(claim.text)?.contrary;
  const statement = contrary === undefined ? undefined : world.statement(contrary);
  return statement === undefined ? undefined : world.claimable(statement);
}

/** Returns whether a claim was withdrawn by its seat and not taken up since. */
export function isWithdrawn({ status, moves }: ClaimView): boolean {
  return status === 'tested_unclear' && moves.at(-1)?.basis === 'conceded';
}

/** Returns what the model believes of the claim, drawn once. */
function getBelief({ mind, world }: Ask, claim: ClaimView): 'true' | 'false' | 'undecided' {
  const dice = new Chance(world.seed, mind.name, 'believes', claim.text);
  return drawJudgment(mind, world.truthOf(claim.text).key, dice);
}

/** Returns whether this seat is responsible for a claim, so that not all four take it up at once. */
function isMine({ world, role, round }: Ask, claim: ClaimView): boolean {
  const place = new Chance('care', world.seed, claim.id, round).between(0, 3);
  return ROLES[place] === role;
}

function flawsIn({ world }: Ask): ClaimView[] {
  return Object.values(world.journal.view.claims).filter(
    ({ text }) => world.statement(text)?.flaw?.finds === true,
  );
}

function anyId({ world, chance }: Ask): string {
  const known = Object.keys(world.journal.view.claims);
  return chance.next() < 0.5 ? 'C-9-9' : (chance.some(known, 1)[0] ?? 'C-9-9');
}

/**
 * Returns the ids of the claims that a simulated seat says it withdraws. A sabotaging model also names claims of
 * others, a careless one any or invented ids.
 */
export function listConceded(ask: Ask): string[] {
  const { mind, world, role, chance } = ask;
  const open = Object.values(world.journal.view.claims).filter(
    ({ status }) => status === 'pending',
  );
  const own = open.filter(({ raised_by }) => raised_by === role);
  const listIds = (claims: readonly ClaimView[]) => claims.map(({ id }) => id);
  if (mind.habit === 'flattering') return listIds(own);
  if (mind.habit === 'sabotaging') return listIds(flawsIn(ask));
  if (mind.habit === 'careless') return chance.next() < 0.3 ? [anyId(ask)] : [];
  return listIds(own.filter((claim) => getBelief(ask, claim) === 'false'));
}

/**
 * Returns the claims that a simulated seat disputes, each with a quotation. An honest seat disputes what a reader
 * decided otherwise than the seat believes. Careless and sabotaging seats dispute at random, others never.
 */
export function listDisputed(ask: Ask): object[] {
  const { mind, world, chance } = ask;
  const read = Object.values(world.journal.view.claims).filter(
    ({ moves }) => moves.at(-1)?.basis === 'read',
  );
  if (mind.habit === 'flattering' || mind.habit === 'abstaining') return [];
  if (mind.habit !== 'honest')
    return chance
      .some(read, chance.next() < 0.5 ? 1 : 0)
      .map(({ id }) => ({ claim: id, quotation: world.sentence(chance) }));
  return read.flatMap((claim) => {
    const believed = getBelief(ask, claim);
    const found = claim.status === 'tested_confirmed' ? 'true' : 'false';
    if (believed === found || !isMine(ask, claim)) return [];
    const { quotes } = world.truthOf(claim.text);
    return [{ claim: claim.id, quotation: quotes.at(-1) ?? world.sentence(chance) }];
  });
}
