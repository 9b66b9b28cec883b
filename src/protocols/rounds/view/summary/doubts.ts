/** Why a synthesis is to be doubted: what code finds in it that is not so, or that stands nowhere. */
import type { SynthesisView } from '../../../../kernel/view.ts';
import { titleOf } from '../../../../plain/naming.ts';
import { plural } from '../../../../text/numbers.ts';
import type { Quotation } from '../../../common/quotations/quotations.ts';
import { quotationsLine, readable } from '../../../common/quotations/readable.ts';
import type { Deliberation } from '../deliberation.ts';
import { meaningsIn } from './named.ts';
import { misnamedIn } from './named-in-synthesis.ts';
import { otherOpenClaims } from './open-claims.ts';
import { hasNoReader, readerSentence } from './reader.ts';

type OnRecord = Pick<Deliberation, 'state' | 'records' | 'rounds'>;

/** Told before anything of it is read; the others stand below it. */
const MOST_AHEAD = 3;

/** The synthesis with a mark behind each quotation that is not in order. */
export function readIn(
  synthesis: SynthesisView,
  { quotations, view }: Pick<Deliberation, 'quotations' | 'view'>,
): string {
  return readable(synthesis, quotations[synthesis.version] ?? [], (seat) => titleOf(seat, view));
}

/** What it gets wrong, a sentence each without its last mark; none where nothing is found. */
export function wrongIn(text: string, quotations: readonly Quotation[], run: OnRecord): string[] {
  const bad = quotationsLine(quotations, { bad: true });
  return [
    ...misnamedIn(text, run.state, meaningsIn(run)),
    ...(bad === undefined ? [] : [`Quotations in it: ${bad}`]),
  ];
}

/** The same with what became of its quotations, and with the open claims that it leaves out. */
export function remarksOn(text: string, quotations: readonly Quotation[], run: OnRecord): string[] {
  const found = quotationsLine(quotations);
  const open = otherOpenClaims(text, run.state);
  return [
    ...misnamedIn(text, run.state, meaningsIn(run)),
    ...(found === undefined ? [] : [`Quotations: ${found}`]),
    ...(open === undefined ? [] : [open]),
  ];
}

/** Of the claims as they stand now, so only below the synthesis that stands. */
export function remarksBelow(one: SynthesisView, run: Deliberation): string[] {
  return one === run.view.syntheses.at(-1)
    ? remarksOn(one.text, run.quotations[one.version] ?? [], run)
    : [];
}

/** Of the synthesis that stands: see `cautionWords`. */
export function cautionFor(run: Deliberation): string | undefined {
  return cautionWords(wrongOf(run));
}

/** `Read it with care. …`, where a synthesis gets something wrong. */
export function cautionWords(wrong: readonly string[]): string | undefined {
  if (wrong.length === 0) return undefined;
  const left = wrong.length - MOST_AHEAD;
  return [
    'Read it with care.',
    ...wrong.slice(0, MOST_AHEAD).map((one) => `${one}.`),
    ...(left > 0 ? [`${plural(left, 'other remark')} below it.`] : []),
  ].join(' ');
}

/** What speaks against believing the synthesis that stands, a sentence each: nobody could read, or it is wrong. */
export function doubtsOf(run: Deliberation): string[] {
  if (run.view.syntheses.length === 0) return [];
  return [
    ...(hasNoReader(run) ? [readerSentence(run)] : []),
    ...wrongOf(run).map((one) => `${one}.`),
  ];
}

function wrongOf(run: Deliberation): string[] {
  const last = run.view.syntheses.at(-1);
  return last === undefined ? [] : wrongIn(last.text, run.quotations[last.version] ?? [], run);
}
