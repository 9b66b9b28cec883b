/**
 * What a deliberation's synthesis quotes, looked up in what was said and shown in the run, and marked alike
 * wherever a person or a program reads it. The run was answered by hand; its synthesis is another here.
 */
import { describe, expect, it } from 'vitest';
import { LiveRun } from '../../src/console/model/live-run.ts';
import { listRemarkLines } from '../../src/console/run/sections/remarks.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { PlainLines } from '../../src/plain/lines.ts';
import { formatReport } from '../../src/plain/report.ts';
import { EXPORTED } from '../../src/protocols/exported.ts';
import { reportPage } from '../../src/protocols/registry/report-page.ts';
import { findRoundsQuotations } from '../../src/protocols/rounds/quotations.ts';
import { getShownText } from '../../src/protocols/rounds/view/rounds-text.ts';
import { viewOfRun } from '../console/views.ts';
import type { Fact } from '../every-fact.ts';
import { readGolden } from '../golden/journal.ts';
import { readPage } from './html-reader.ts';
import * as reports from './reports.ts';
import * as texts from './texts.ts';

const GOLDEN = readGolden('played-meters').facts;

/** Returns the run with these words as its synthesis. */
function replaceSynthesis(text: string): readonly Fact[] {
  return GOLDEN.map((fact) => (fact.type === 'synthesis.completed' ? { ...fact, text } : fact));
}

const CRITIC = 'one crowded mast loses telegrams while the next is half empty';
const DOCUMENT = 'Calibration law lets a water meter hang for sixteen years';
const INVENTED = 'the maker has confirmed eight hundred meters in writing';

const TEXT = [
  '## Answer',
  `Not yet: "${INVENTED}" is all that would help.`,
  '## What to do',
  `The Guardian says "${CRITIC}". The Critic holds that "${CRITIC}".`,
  '## What carries it',
  `"${DOCUMENT}".`,
].join('\n\n');

const LINE = '4 looked up, 1 not found anywhere, 1 said by somebody else';
const CARE = `Read it with care. Quotations in it: ${LINE}.`;
const MARKS = ['not found anywhere', 'said by Critic, not by Guardian'];

describe('the quotations of a synthesis', () => {
  it('are found in texts of seats and of the verifier, and in documents', () => {
    const readStates = (text: string) =>
      findRoundsQuotations(replaceSynthesis(text))[1]?.map(({ state }) => state);
    expect(readStates(TEXT)).toEqual(['nowhere', 'misattributed', 'said', 'material']);
    // If a quotation is followed by a place in a document, it is attributed to the document, unless the
    // sentence names a seat.
    expect(readStates(`"${CRITIC}" (attachments/meters.md#L3).`)).toEqual(['misattributed']);
    expect(readStates(`"${DOCUMENT}" (attachments/meters.md#L3).`)).toEqual(['material']);
    expect(readStates(`The Critic says "${CRITIC}" (attachments/meters.md#L3).`)).toEqual(['said']);
    // The four quotations come from an artifact, a claim, a verdict of the verifier, and what code says
    // about a reading, in this order.
    expect(
      readStates(
        '"The failure shows in the first area already" "at the price of one more spring visit" "it puts nobody on the doorsteps in April" "once more by the quotations alone"',
      ),
    ).toEqual(['said', 'said', 'said', 'material']);
    expect(
      readStates('The Verifier found that "it puts nobody on the doorsteps in April".'),
    ).toEqual(['said']);
    // Two seats said these words. No text contains the words of both.
    const parts = [
      'the failure shows in the first area already',
      'at the price of one more spring visit',
    ];
    expect(readStates(parts.map((part) => `"${part}"`).join(' '))).toEqual(['said', 'said']);
    expect(readStates(`"${parts.join(' ')}"`)).toEqual(['nowhere']);
  });

  it('are all reported as found for a recorded run that quotes correctly', () => {
    expect(findRoundsQuotations(GOLDEN)[1]?.map(({ state }) => state)).toEqual(['said', 'said']);
    const out = formatReport(GOLDEN, reports.rounds);
    expect(out).toContain('_Quotations: 2 looked up, all found._');
    expect(out).not.toContain('Read it with care');
  });

  it('are marked in the report if they are wrong', () => {
    const out = formatReport(replaceSynthesis(TEXT), reports.rounds);
    const [, answer, care] = out.split('\n\n');
    expect(answer).toContain(`[${MARKS[0]}\\]`);
    expect(care).toBe(`**${CARE}**`);
    for (const mark of MARKS) expect(out).toContain(`" [${mark}]`);
    expect(out).toContain(`_Quotations: ${LINE}._`);
  });

  it('are marked on the page if they are wrong', async () => {
    const page = readPage(await reportPage('rounds', replaceSynthesis(TEXT)));
    const [answer = ''] = page.textsOfClass('answer');
    expect(answer).toContain(CARE);
    for (const mark of MARKS) expect(page.text).toContain(`[${mark}]`);
  });

  it('are marked in plain output if they are wrong', () => {
    const lines: string[] = [];
    const sink = { write: (text: string) => lines.push(text) };
    const display = new PlainLines(sink, { write: () => undefined }, texts.rounds);
    for (const fact of replaceSynthesis(TEXT)) display.fact(fact);
    const out = lines.join('');
    const [, told = ''] = out.split('# Synthesis v1');
    expect(told.split('\n\n')[1]).toBe(CARE);
    for (const mark of MARKS) expect(told).toContain(`" [${mark}]`);
    expect(told).toContain(`Quotations: ${LINE}.`);
  });

  it('are marked in the console if they are wrong', () => {
    const facts = replaceSynthesis(TEXT);
    const view = viewOfRun(facts);
    const runModel = new LiveRun(
      facts,
      view,
      () => 0,
      () => undefined,
    );
    const synthesis = runModel.syntheses.at(-1);
    if (synthesis === undefined) throw new Error('there is no synthesis');
    const [first] = listRemarkLines(synthesis, runModel, view);
    expect(first).toBe(`Quotations in it: ${LINE}`);
    const shown = getShownText({ kind: 'synthesis', id: 'synthesis/1', synthesis }, runModel);
    for (const mark of MARKS) {
      expect(synthesis.stream.text.text).toContain(`" [${mark}]`);
      expect(shown).toContain(`" [${mark}]`);
    }
    expect(shown).toContain(`**${CARE}**`);
  });

  it('are exported with the result of the check', () => {
    const facts = replaceSynthesis(TEXT);
    expect(texts.rounds.doubts({ facts, view: viewOf(facts) })).toEqual([
      `Quotations in it: ${LINE}.`,
    ]);
    const { of } =
      EXPORTED.find(({ key }) => key === 'quotations') ?? EXPORTED[0] ?? refuseExport();
    expect(of(facts)).toMatchObject([
      { version: 1, state: 'nowhere', words: INVENTED },
      { state: 'misattributed', given: ['guardian'], by: ['critic'] },
      { state: 'said', given: ['critic'], by: ['critic'] },
      { state: 'material', words: DOCUMENT },
    ]);
  });
});

function refuseExport(): never {
  throw new Error('nothing is exported');
}
