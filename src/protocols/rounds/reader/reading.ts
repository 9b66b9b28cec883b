/**
 * Decides claims by reading, in phase F. A reader that has passed the reading test finds what the
 * documents say about each claim. Code looks up its quotations, and a second call that sees only
 * claim and quotations must come to the same result. Quotations alone would not suffice: careless
 * readers quote real sentences that decide nothing.
 */

import { makeNonce, shuffleItems } from '../../../kernel/chance.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { collectPassages, passageToPiece } from '../cited-sources.ts';
import type { Dispute } from '../claims/register.ts';
import type { ClaimView } from '../claims/rounds-view.ts';
import { isStronger } from '../claims/settle.ts';
import { type FactBody, fact } from '../facts.ts';
import { isSince } from '../prompts/order.ts';
import {
  type LookItem,
  lookSchema,
  lookTask,
  readingSchema,
  readingTask,
  type SecondLook,
} from '../prompts/reading.ts';
import { findQuotation, getAllLines } from '../records/documents.ts';
import type { Quotation } from '../records/types.ts';
import type { RoundsRun } from '../rounds-run.ts';
import { type Control, explainVoidReading, isVoidOfFew, makeControls } from './controls.ts';
import { checkFinding, findingsByItem, type ItemFinding, type ReaderSources } from './finding.ts';
import { explainMissingFigures } from './missing-figures.ts';
import {
  controlFact,
  findingFact,
  isFromEarlierReading,
  makeReadingFacts,
} from './reading-facts.ts';

/** The most claims in one prompt, newest first. A model would not consider more. */
const MOST_ITEMS = 24;

type Item =
  | { readonly kind: 'claim'; readonly text: string; readonly claim: ClaimView }
  | { readonly kind: 'control'; readonly text: string; readonly control: Control };

/**
 * Lets the reader decide claims that the documents confirm or contradict: those that no reading has examined, and
 * that are open, withdrawn, or decided by argument only. Does nothing if there are no documents, or if no model has
 * passed the reading test.
 * @param disputes objections to claims that an earlier reading decided; these claims are read again
 */
export async function settleByReading(
  roundsRun: RoundsRun,
  round: number,
  disputes: readonly Dispute[],
): Promise<void> {
  const { attachments } = roundsRun.settings;
  const { sources } = roundsRun.view;
  const isEmpty = attachments.flatMap(getAllLines).length === 0 && sources.length === 0;
  if (isEmpty || roundsRun.reader === undefined) return;
  const read = new Set(
    roundsRun.view.rounds.flatMap(({ findings }) =>
      findings.filter((finding) => !isVoidOfFew(finding)).map(({ claim }) => claim),
    ),
  );
  const claims = Object.values(roundsRun.view.claims)
    .filter((claim) => !read.has(claim.id) && claim.status !== 'superseded')
    .filter((claim) => isStronger('read', claim))
    .slice(-MOST_ITEMS);
  const passages = collectPassages(citingTexts(roundsRun, round, claims), sources);
  const canRead = attachments.flatMap(getAllLines).length > 0 || passages.length > 0;
  const found =
    claims.length === 0 || !canRead
      ? []
      : await firstReading(roundsRun, round, claims, { attachments, passages });
  const disputed = disputesOf(roundsRun, round, disputes);
  const rivals = rivalsOf(roundsRun, found);
  const again = new Map(
    [...rivals.values()].flatMap((rival) =>
      rival === undefined ? [] : [[rival.claim.id, rival] as const],
    ),
  );
  for (const finding of disputed.found) again.set(finding.claim.id, finding);
  await secondLook(roundsRun, round, [...found, ...again.values()], disputed.refused, rivals);
}

/** Returns the texts that may cite tool results: the claims, and the verdicts and artifacts of the round. */
function citingTexts(roundsRun: RoundsRun, round: number, claims: readonly ClaimView[]): string[] {
  const { artifacts, verifications } = roundsRun.round(round);
  return [
    ...claims.flatMap(({ text, testable_as, if_false = '' }) => [text, testable_as, if_false]),
    ...verifications.flatMap(({ evidence_refs }) => evidence_refs),
    ...artifacts.map(({ markdown }) => markdown),
  ];
}

async function firstReading(
  roundsRun: RoundsRun,
  round: number,
  claims: readonly ClaimView[],
  { attachments, passages }: ReaderSources,
): Promise<ItemFinding[]> {
  const { seed, rules, prompts } = roundsRun.settings;
  const documents = [...attachments, ...passages];
  const items = shuffleItems<Item>(
    [
      ...claims.map((claim): Item => ({ kind: 'claim', text: claim.text, claim })),
      ...makeControls(documents, seed, round, rules).map(
        (control): Item => ({ kind: 'control', text: control.text, control }),
      ),
    ],
    seed,
    `reading ${round}`,
  );
  const texts = items.map(({ text }) => text);
  const reply = await roundsRun.ask(
    'F/reading',
    roundsRun.verifier,
    round,
    {
      kind: 'reading',
      record: false,
      schema: readingSchema,
      pieces: passages.map(passageToPiece),
      task: readingTask(
        texts,
        makeNonce(seed, 'pieces'),
        { attachments: attachments.length > 0, results: passages.length > 0 },
        prompts,
      ),
      about: { items: texts, heard: documents.map(({ name, text }) => ({ from: name, text })) },
    },
    (reply) => {
      const said = findingsByItem(reply.status === 'done' ? reply.value : undefined);
      return items.flatMap((item, index) =>
        item.kind === 'control' && reply.status === 'done'
          ? [controlFact(roundsRun, round, item.control, said.get(index + 1)?.finding)]
          : [],
      );
    },
  );
  const said = findingsByItem(reply.status === 'done' ? reply.value : undefined);
  const voided = explainVoidReading(roundsRun.round(round).controls, rules);
  return items.flatMap((item, index): ItemFinding[] => {
    const finding = said.get(index + 1);
    if (item.kind === 'control' || finding === undefined) return [];
    const found = checkFinding(item.claim, finding, { attachments, passages }, rules);
    return [voided === undefined ? found : { ...found, makes: undefined, why: voided }];
  });
}

/**
 * Returns the findings that confirm a claim which contradicts an earlier claim decided by reading or a test. Each has
 * the finding that would reverse the earlier claim. A second look judges both findings, and the confirmed claim only
 * counts if the earlier claim is reversed. The reversal is undefined if the earlier claim was tested, or if there
 * are no new quotations.
 */
function rivalsOf(
  roundsRun: RoundsRun,
  found: readonly ItemFinding[],
): Map<ItemFinding, ItemFinding | undefined> {
  const rivals = new Map<ItemFinding, ItemFinding | undefined>();
  for (const finding of found) {
    const { challenges, id } = finding.claim;
    const old = challenges === undefined ? undefined : entryOf(roundsRun.view.claims, challenges);
    if (finding.makes !== 'true' || old === undefined || isStronger('read', old)) continue;
    const last = old.moves.at(-1);
    const known = new Set(last?.quotes?.map(({ ref }) => ref));
    const words = finding.quotes.filter(({ ref }) => !known.has(ref));
    rivals.set(
      finding,
      last?.basis === 'read' && words.length > 0
        ? makeReversal(roundsRun, old, words, `denied by ${id}`)
        : undefined,
    );
  }
  return rivals;
}

/**
 * Returns the finding that would reverse a decided claim, for a second look. It has the quotations
 * by which the claim was decided and the given ones.
 */
function makeReversal(
  { settings, view }: RoundsRun,
  claim: ClaimView,
  words: readonly Quotation[],
  why: string,
): ItemFinding {
  const { quotes = [] } = claim.moves.at(-1) ?? {};
  // A claim can have been decided without a quotation, because the documents do not mention its subject. Since
  // edition 4 of the rules, the second look is shown the words that the earlier reading searched for in vain.
  const last = view.rounds
    .flatMap(({ findings }) => findings)
    .findLast((finding) => finding.claim === claim.id && finding.counts);
  const missed = isSince(settings.rules, 4) ? (last?.sought ?? []) : [];
  const confirmed = claim.status === 'tested_confirmed';
  const all = [...quotes, ...words];
  const lacking =
    confirmed || !isSince(settings.rules, 7)
      ? undefined
      : explainMissingFigures(claim.text, all, [...settings.attachments, ...view.sources]);
  return {
    claim,
    sought: [],
    missed,
    why: lacking ?? why,
    finding: confirmed ? 'false_in_text' : 'true_in_text',
    makes: lacking !== undefined ? undefined : confirmed ? 'false' : 'true',
    quotes: all,
  };
}

/**
 * Returns the findings that would reverse the claims that roles dispute. Each has the role's quotation beside the
 * quotations by which the claim was decided. Invalid disputes are returned as refusals.
 */
function disputesOf(
  roundsRun: RoundsRun,
  round: number,
  disputes: readonly Dispute[],
): { readonly found: ItemFinding[]; readonly refused: FactBody[] } {
  const found = new Map<string, ItemFinding>();
  const refused: FactBody[] = [];
  for (const { role, claim: id, quotation } of disputes) {
    const refuseDispute = (why: string): void => {
      refused.push(
        fact('refusal.recorded', {
          round,
          kind: 'finding',
          by: role,
          text: `${id} disputed: ${quotation}`,
          why,
        }),
      );
    };
    const claim = entryOf(roundsRun.view.claims, id);
    const last = claim?.moves.at(-1);
    if (claim === undefined || last?.basis !== 'read') {
      refuseDispute(
        claim === undefined ? 'there is no such claim' : 'it was not settled by reading',
      );
      continue;
    }
    const { settings, view } = roundsRun;
    const place = findQuotation(quotation, [...settings.attachments, ...view.sources]);
    const known = [...(last.quotes ?? []), ...(found.get(id)?.quotes ?? [])];
    if (place === undefined) refuseDispute('these words stand nowhere in the text');
    else if (known.some(({ ref }) => ref === place.ref))
      refuseDispute('it was read by these words');
    else
      found.set(
        id,
        makeReversal(
          roundsRun,
          claim,
          [...known.slice(last.quotes?.length ?? 0), place],
          `disputed by the ${role}`,
        ),
      );
  }
  return { found: [...found.values()], refused };
}

/**
 * Has each decisive finding judged by a second call, and by a further one if the role says that
 * only a test decides the claim or if the claim was read before. Records the findings and the
 * claims that they decide.
 */
async function secondLook(
  roundsRun: RoundsRun,
  round: number,
  found: readonly ItemFinding[],
  refused: readonly FactBody[],
  rivals: ReadonlyMap<ItemFinding, ItemFinding | undefined>,
): Promise<void> {
  const { seed } = roundsRun.settings;
  const decided = shuffleItems(
    found.filter(({ makes }) => makes !== undefined),
    seed,
    `look ${round}`,
  );
  const looks = await askForLooks(roundsRun, round, 'F/look', undefined, decided);
  const harder = decided.filter(
    (finding) =>
      (finding.claim.decided_by === 'running' || isFromEarlierReading(finding)) &&
      looks.get(finding) === finding.makes,
  );
  const more = await askForLooks(roundsRun, round, 'F/look-again', roundsRun.secondReader, harder);
  const facts: FactBody[] = [...refused];
  const settled: ItemFinding[] = [];
  const hasReversal = (rival: ItemFinding | undefined): boolean =>
    settled.some((finding) => finding.claim.id === rival?.claim.id);
  const reversalsFirst = found.toSorted((left, right) => +rivals.has(left) - +rivals.has(right));
  for (const finding of reversalsFirst) {
    const second = harder.includes(finding) ? more.get(finding) : looks.get(finding);
    const agrees = finding.makes !== undefined && second === finding.makes;
    const counts = agrees && (!rivals.has(finding) || hasReversal(rivals.get(finding)));
    if (counts) settled.push(finding);
    const rival =
      agrees && !counts ? `${finding.claim.challenges}, which it denies, still stands. ` : '';
    facts.push(
      findingFact(roundsRun, round, { ...finding, why: `${rival}${finding.why}` }, second, counts),
    );
  }
  facts.push(...makeReadingFacts(roundsRun, round, settled));
  await roundsRun.record(`round-${round}/F/settled`, facts);
}

async function askForLooks(
  roundsRun: RoundsRun,
  round: number,
  key: string,
  model: string | undefined,
  items: readonly ItemFinding[],
): Promise<Map<ItemFinding, SecondLook>> {
  if (items.length === 0) return new Map();
  const shown = items.map(
    ({ claim, quotes, sought, missed = [] }): LookItem => ({
      text: claim.text,
      quotes: quotes.map(({ text }) => text),
      sought: [...missed, ...sought],
    }),
  );
  const reply = await roundsRun.askBare(
    key,
    model === undefined ? roundsRun.verifier : { ...roundsRun.verifier, model },
    round,
    {
      kind: 'second-look',
      schema: lookSchema,
      task: lookTask(
        shown,
        makeNonce(roundsRun.settings.seed, 'pieces'),
        roundsRun.settings.prompts,
      ),
      about: { items: shown.map(({ text }) => text) },
      // If a second look is itself repeated (`F/look-again`), use another seed. With the same seed, the same model
      // could only repeat its answer.
      seed: roundsRun.settings.seed + (key === 'F/look' ? 0 : 1),
    },
  );
  const read = lookSchema.safeParse(reply.status === 'done' ? reply.value : undefined);
  const looks = new Map<ItemFinding, SecondLook>();
  items.forEach((finding, index) => {
    const said = new Set(
      (read.success ? read.data.looks : [])
        .filter(({ item }) => item === index + 1)
        .map(({ verdict }) => verdict),
    );
    const [only] = said;
    if (said.size === 1 && only !== undefined) looks.set(finding, only);
  });
  return looks;
}
