/** The figures of a claim that the reader's quotations lack: what a quotation has to show. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { findMissingFigures } from '../../src/protocols/rounds/reader/missing-figures.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { getClaim, listPrompts, runScriptedRounds, type Script } from './acting.ts';

describe('findMissingFigures, which looks up the figures of a claim in quotations,', () => {
  it.each([
    ['another figure', 'It keeps 90,000 rows.', 'The store keeps 40,000 rows.', ['90,000']],
    ['no figure', 'It keeps 90,000 rows.', 'The store keeps all rows.', ['90,000']],
    ['a longer figure', 'It keeps 40 rows.', 'The store keeps 40,000 rows.', ['40']],
    ['a shorter figure', 'It keeps 40,000 rows.', 'The store keeps 40 rows.', ['40,000']],
    [
      'another unit of thousands',
      'It costs $1.2M a year.',
      'It costs 1.2k a year.',
      ['1.2 million'],
    ],
    ['another decimal', 'The lag is 0.3 s.', 'The lag is 0.2 s.', ['0.3']],
    ['another percentage', 'It fails in 12 % of cases.', 'It fails in 21 % of cases.', ['12']],
    ['one of two figures', '40,000 rows in 90 days.', 'It keeps 40,000 rows.', ['90']],
    [
      'a figure that is nearly the same',
      'It keeps 40,300 rows.',
      'It keeps 40,000 rows.',
      ['40,300'],
    ],
    ['another year', 'It ships in 2029.', 'It ships in May 2027.', ['2029']],
    ['another day', 'It ships on 2027-05-03.', 'It ships on 14 May 2028.', ['2027']],
  ])('finds what is missing in a quotation with %s', (_what, claim, quotation, missing) => {
    expect(findMissingFigures(claim, [quotation])).toEqual(missing);
  });

  it.each([
    ['a comma and without', 'It keeps 40,000 rows.', 'It keeps 40000 rows.'],
    ['without a comma and with', 'It keeps 40000 rows.', 'It keeps 40,000 rows.'],
    ['a comma and a space', 'It keeps 40,000 rows.', 'It keeps 40 000 rows.'],
    ['a space and a comma', 'It keeps 40 000 rows.', 'It keeps 40,000 rows.'],
    [
      'a comma and a narrow space',
      'It keeps 1,240,000 rows.',
      'It keeps 1\u202f240\u202f000 rows.',
    ],
    ['a comma and a full stop', 'It keeps 40,000 rows.', 'Es sind 40.000 Zeilen.'],
    ['an apostrophe and a comma', "It keeps 40'000 rows.", 'It keeps 40,000 rows.'],
    ['a comma and a k', 'It keeps 40,000 rows.', 'It keeps 40k rows.'],
    ['millions and an M', 'It costs $1.2M a year.', 'It costs 1.2 million dollars.'],
    ['an M and digits', 'It costs 1.2 million.', 'It costs 1,200,000 or $1.2M a year.'],
    ['Mrd. and billions', 'It costs 3 billion.', 'Es kostet 3 Mrd. Euro.'],
    ['digits and words', 'It keeps 12 rows.', 'It keeps twelve rows.'],
    ['digits and words with “and”', 'It keeps 450 rows.', 'Four hundred and fifty rows are kept.'],
    ['digits and German words', 'It keeps 12 rows.', 'Es sind zwölf Zeilen.'],
    ['digits and “an”', 'It takes 1 hour.', 'It takes an hour.'],
    ['digits and “both”', 'The 2 halls are linked.', 'A line links both halls.'],
    ['digits and “no”', 'There are 0 errors.', 'There are no errors.'],
    ['a unit and without a space', 'It takes 5 GB.', 'It takes 5GB.'],
    ['decimals', 'The lag is 1.5 s.', 'Es sind 1,5 s.'],
    ['a percentage and a share', 'It fails in 27 % of cases.', 'The share of failures is 0.27.'],
    ['a percentage and a half', 'It fails in 50 % of cases.', 'Half of all cases fail.'],
    ['a rounded percentage', 'It fails in 13 % of cases.', 'It fails in 12.9 % of cases.'],
    ['a minus sign', 'At minus 12 degrees it stops.', 'At -12 degrees it stops.'],
    ['digits and a part of a name', 'It keeps 16 rows.', 'The store of v16 keeps all rows.'],
    ['dates', 'It ships on 2027-05-03.', 'It ships on 3 May 2027.'],
    ['dates with full stops', 'It ships on 3 May 2027.', 'Es erscheint am 03.05.2027.'],
  ])(
    'finds nothing missing if claim and quotation write a figure differently: %s',
    (_what, claim, quotation) => {
      expect(findMissingFigures(claim, [quotation])).toEqual([]);
    },
  );

  it.each([
    ['identifiers', 'Postgres v16 and ipv6 of HTTP/2 serve Q-3.'],
    ['issues and ports', 'The fix of #812 listens at localhost:8080.'],
    ['claims and verdicts', 'C-1-2 and V-3-5 rest on this.'],
    ['citations', 'The standby lags (attachments/plan.md#L12-L14, S-3#L10).'],
    ['sections', 'Sections 5 and 7 contradict each other, and so do step 3 and Schritt 8.'],
    ['items of a list', '3. The standby lags.'],
    ['versions', 'It runs on version 3 only.'],
    ['the end of a range', 'The standby lags by zero-5 or 0-5.'],
    ['number words', 'Twelve standbys lag.'],
  ])('ignores %s in the claim', (_what, claim) => {
    expect(findMissingFigures(claim, ['The standby lags behind the leader.'])).toEqual([]);
  });

  it('accepts a figure that stands beside the quotation in the same lines', () => {
    const claim = 'It keeps 40,000 rows.';
    const quotation = 'no row is ever removed';
    expect(findMissingFigures(claim, [quotation])).toEqual(['40,000']);
    const line = 'It keeps 40,000 rows, and no row is ever removed.';
    expect(findMissingFigures(claim, [quotation], [line])).toEqual([]);
  });

  it.each([
    ['a product', '12,000 orders are lost.', ['lags 40 minutes behind', '300 orders a minute']],
    ['a quotient', 'That is 770 rights each.', ['74,000 rights', '96 systems']],
    ['a part', 'That is 44,400 rights.', ['74,000 rights', '60 percent of them']],
    ['a sum', 'In all 52 people come.', ['40 of the town', '12 of the village']],
    ['hours as minutes', 'The standby lags 180 minutes.', ['lags 3 hours behind']],
    [
      'a product with a number word of the claim',
      'Twelve workers write 3,000.',
      ['A worker writes 250.'],
    ],
  ])(
    'accepts a figure that follows from the figures in the quotations, such as %s',
    (_what, claim, quotations) => {
      expect(findMissingFigures(claim, quotations)).toEqual([]);
    },
  );

  it.each([
    ['more than 40 minutes', ['lags 43 minutes'], []],
    ['about 90,000 rows', ['exactly 91,240 rows'], []],
    ['more than 10,000 a second', ['640,000 within a minute'], []],
    ['more than 90,000 rows', ['40,000 rows'], ['90,000']],
    ['about 90,000 rows', ['40,000 rows in 7 nights'], ['90,000']],
    ['40 minutes', ['lags 43 minutes'], ['40']],
  ])(
    'takes a figure after “more than” for a bound, after “about” for an approximation, and otherwise as exact: %s',
    (claim, quotations, missing) => {
      expect(findMissingFigures(`It takes ${claim}.`, quotations)).toEqual(missing);
    },
  );

  it('finds the missing figure also if another sentence with a figure is quoted', () => {
    const quotations = ['The store keeps 40,000 rows.', 'A night has 7 hours.'];
    expect(findMissingFigures('It keeps 90,000 rows.', quotations)).toEqual(['90,000']);
  });

  it('finds nothing missing if the quotation is the claim itself, whatever the claim says', () => {
    const property = (text: string) => {
      expect(findMissingFigures(text, [text])).toEqual([]);
    };
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), property));
    const figures = fc.stringMatching(/^(?:\d{1,4}[., %'/:-]){1,8}[a-c]?$/);
    fc.assert(fc.property(figures, property));
  });

  it('finishes within the time limit of a test for long and hostile texts', () => {
    for (const part of ['1 ', '1,', '1.1.1.', '1 000 ', 'section 1 and ', '9 '.repeat(9)]) {
      const text = part.repeat(3_000);
      expect(findMissingFigures(text, [text, text])).toEqual([]);
    }
  });
});

describe('a reading of a claim with a figure', () => {
  const CLAIM = 'At the cutover nearly 90,000 rows have to be copied again.';
  const QUOTATION = 'The ledger counts 40,000 rows at the cutover';
  const STORE = {
    name: 'plan.md',
    text: `${QUOTATION}, as of today.\nIn the worst week 90,000 rows came in.`,
  };

  const runReading = (
    finding: string,
    quotes: readonly string[],
    more: Partial<Script> = {},
    config: Partial<RoundsConfig> = {},
  ) =>
    runScriptedRounds(
      {
        hands: (role, round) =>
          role === 'observer' && round === 1 ? { claims: [{ text: CLAIM }] } : undefined,
        reads: (statement) => (statement === CLAIM ? { finding, quotes } : undefined),
        looks: () => (finding === 'true_in_text' ? 'true' : 'false'),
        ...more,
      },
      { attachments: [STORE], ...config },
    );

  it('leaves the claim open, with the reason, if the reader confirms it by a quotation with another figure', async () => {
    const held = await runReading('true_in_text', [QUOTATION]);
    expect(getClaim(held.view, CLAIM)).toMatchObject({ status: 'pending', moves: [] });
    expect(held.view.rounds[0]?.findings).toMatchObject([
      { counts: false, why: 'the quotation does not contain "90,000"' },
    ]);
    expect(listPrompts(held, 'second-look')).toEqual([]);
    expect(validateFolder(getRecordsFolder(held.store.facts(held.run))).errors).toEqual([]);
  });

  it('confirms the claim if the figure is in a quotation, or in the document’s line that contains a quotation', async () => {
    for (const quotes of [[QUOTATION, 'In the worst week 90,000 rows'], ['In the worst week']]) {
      const { view } = await runReading('true_in_text', quotes);
      expect(getClaim(view, CLAIM).status).toBe('tested_confirmed');
    }
  });

  it('refutes the claim if the reader refutes it by a quotation with another figure', async () => {
    const { view } = await runReading('false_in_text', [QUOTATION]);
    expect(getClaim(view, CLAIM).status).toBe('tested_refuted');
  });

  it('confirms the claim under edition 6 of the rules even if the quotation has another figure', async () => {
    const { view } = await runReading('true_in_text', [QUOTATION], {}, { rules: 6 });
    expect(getClaim(view, CLAIM).status).toBe('tested_confirmed');
  });

  it('after a dispute, leaves a refuted claim refuted if the disputing quotation does not contain the figure either', async () => {
    const runDispute = (quotation: string, rules: 6 | 7) =>
      runReading(
        'false_in_text',
        [QUOTATION],
        {
          hands: (role, round) =>
            round === 1
              ? role === 'observer'
                ? { claims: [{ text: CLAIM }] }
                : undefined
              : role === 'critic'
                ? { disputes: [{ claim: 'C-1-1', quotation }] }
                : undefined,
          looks: (_statement, asked) => (asked.about?.round === 1 ? 'false' : 'true'),
        },
        {
          rounds: 2,
          rules,
          attachments: [{ ...STORE, text: `${STORE.text}\nNothing of it can be left out.` }],
        },
      );
    const lacking = await runDispute('Nothing of it can be left out', 7);
    expect(getClaim(lacking.view, CLAIM).status).toBe('tested_refuted');
    expect(lacking.view.rounds[1]?.findings).toMatchObject([
      { counts: false, why: 'the quotations do not contain "90,000"' },
    ]);
    const shown = await runDispute('In the worst week 90,000 rows', 7);
    expect(getClaim(shown.view, CLAIM).status).toBe('tested_confirmed');
    const before = await runDispute('Nothing of it can be left out', 6);
    expect(getClaim(before.view, CLAIM).status).toBe('tested_confirmed');
  });
});
