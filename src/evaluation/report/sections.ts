/**
 * The sections below the opening of a report: the figures, each in a table, with how they were computed.
 */
import {
  type Block,
  makeSection,
  makeTableBlock,
  makeVerbatim,
  type Row,
  type Section,
  type Tone,
} from '../../plain/blocks.ts';
import { formatCount, formatTokens, formatUsd } from '../../text/numbers.ts';
import { withoutFalse } from '../../text/without-undefined.ts';
import type { Header } from '../header.ts';
import type { Analysis, ArmFigures, ContrastFigures } from '../statistics/analysis.ts';
import type { Kind } from '../statistics/verdict.ts';
import { getUnitNoun } from './opening.ts';
import {
  CURRENCIES,
  formatFactor,
  formatHundredths,
  formatInterval,
  formatPercent,
  formatPoints,
  formatPValue,
  formatShare,
  formatSigned,
  formatVerdict,
} from './words.ts';

/** The most lost items that are named; the others are in the log. */
const NAMED = 40;

/** Returns the sections of a report, after its beginning. */
export function sectionsOf(header: Header, analysis: Analysis): Section[] {
  return [
    makeArmsSection(header, analysis),
    makeContrastsSection(analysis),
    makeReadingsSection(analysis),
    ...makeArguingSections(analysis),
    ...makeConfidenceSections(analysis),
    ...makeLossSections(analysis),
    makeCheckingSection(header, analysis),
  ];
}

function joinSentences(...sentences: readonly string[]): string {
  return sentences.join(' ');
}

function makeArmsSection({ arms: named }: Header, analysis: Analysis): Section {
  const { hasVariants, repeats } = analysis;
  const about = new Map(named.map((arm) => [arm.name, arm.about]));
  const rows = analysis.arms.map((arm): Row['cells'] => [
    { text: arm.name, below: [about.get(arm.name) ?? []].flat() },
    arm.score.units === 0 ? '-' : formatHundredths(arm.score.mean),
    arm.score.units === 0 ? 'unknown' : formatInterval(arm.score).replaceAll('+', ''),
    String(arm.score.units),
    `${arm.unreadable}`,
    `${arm.missing}`,
    `${arm.repaired}`,
    arm.usd === null ? 'no price' : formatUsd(arm.usd),
    formatTokens(arm.tokens),
  ]);
  return makeSection(
    'Arms',
    makeTableBlock(
      hasVariants
        ? 'Of 100 points: flaws found, minus false alarms. Always NONE is 0.'
        : 'Right answers of 100.',
      [
        'arm',
        '>score',
        '>95 % interval',
        `>${getUnitNoun(analysis)}s`,
        ...['>unreadable', '>missing', '>repaired', '>list price', '>tokens'],
      ],
      rows,
    ),
    joinSentences(
      analysis.arms.every(({ isExact }) => isExact)
        ? 'Intervals are exact.'
        : 'Intervals are exact where each item was asked once; otherwise they come from resampled units.',
      'To compare two arms, see the contrasts below: overlapping intervals say nothing about a difference.',
      ...(repeats.asked === 0
        ? []
        : repeats.alike === repeats.asked
          ? [
              `Repetitions added nothing: all ${repeats.asked} answers that were asked for again came back the same.`,
            ]
          : [
              `Of ${formatCount(repeats.asked, 'answer')} asked for again, ${repeats.alike} came back the same every time. More ${getUnitNoun(analysis)}s say more than more repetitions.`,
            ]),
    ),
  );
}

const TONES: Readonly<Record<Kind, Tone>> = {
  gain: 'good',
  loss: 'bad',
  within: 'mixed',
  unknown: 'open',
  rehearsal: 'open',
  small: 'open',
  unfinished: 'open',
};

function makeContrastsSection({ primary, others }: Analysis): Section {
  const makeRow = (contrast: ContrastFigures, what: string): Row['cells'] => [
    { text: `${contrast.arm} minus ${contrast.against}`, below: [what] },
    formatSigned(contrast.difference.mean),
    formatInterval(contrast.difference),
    formatPValue(contrast.p),
    formatFactor(contrast.ratios.usd),
    formatFactor(contrast.ratios.tokens),
    {
      text: formatVerdict(contrast.verdict, contrast.ratios[contrast.currency], contrast.currency),
      tone:
        contrast.verdict.kind === 'gain' && contrast.verdict.isDearer
          ? 'mixed'
          : TONES[contrast.verdict.kind],
    },
  ];
  const rows = [
    ...Object.values(primary).map((contrast) =>
      makeRow(contrast, `primary, by ${CURRENCIES[contrast.currency]}`),
    ),
    ...others.map((contrast) => makeRow(contrast, `by ${CURRENCIES[contrast.currency]}`)),
  ];
  if (rows.length === 0) return makeSection('Contrasts');
  return makeSection(
    'Contrasts',
    makeTableBlock(
      'Differences in points of 100, unit by unit.',
      ['contrast', '>difference', '>95 % interval', '>p', '>dollars', '>tokens', 'verdict'],
      rows,
    ),
    joinSentences(
      'The primary contrast was fixed before the first call.',
      ...(others.length === 0
        ? []
        : [
            'The p-values of the others are corrected for being several (Holm); their intervals are not.',
          ]),
    ),
  );
}

function makeReadingsSection(analysis: Analysis): Section {
  const [main] = Object.values(analysis.primary);
  return makeSection(
    'Read in three ways',
    main === undefined
      ? ''
      : makeTableBlock(
          `${main.arm} minus ${main.against}: a verdict must hold in all three.`,
          ['reading', `>${getUnitNoun(analysis)}s`, '>difference', '>95 % interval', '>p'],
          main.readings.map(({ name, difference }) => [
            name,
            String(difference.units),
            formatSigned(difference.mean),
            formatInterval(difference),
            formatPValue(difference.p),
          ]),
        ),
  );
}

function makeArguingSections({ arms: all }: Analysis): Section[] {
  const panels = all.filter(({ flips }) => flips !== undefined);
  if (panels.length === 0) return [];
  return [
    makeSection(
      'What arguing changed',
      joinSentences(
        "Each panel compared with the vote of its own seats, cast before they heard each other. Counts answered items of the first repetition of which a seat's vote can be read; a tie goes to the first seat. A panel 'nods' if it changed less than 1.5 % of its votes, as far as the data can tell.",
      ),
      ...panels.flatMap(arguingOf),
    ),
  ];
}

function arguingOf({ name, flips }: ArmFigures): Block[] {
  if (flips === undefined) return [];
  const { isByItem } = flips;
  const rows: Row['cells'][] = [
    ['votes it changed', formatShare(flips.flipped)],
    ['rescued: vote wrong, a seat right, panel right', formatShare(flips.rescued, isByItem)],
    ['spoiled: vote right, panel wrong', formatShare(flips.spoiled, isByItem)],
    ['found: no seat right, panel right', formatShare(flips.found, isByItem)],
    ['net', formatPoints(flips.net)],
    ['unanimous and wrong', formatShare(flips.unanimousWrong, isByItem)],
    [
      'does it nod?',
      flips.nods
        ? { text: `It nods: at most ${formatPercent(flips.atMost)} changed.`, tone: 'bad' }
        : `Not shown: up to ${formatPercent(flips.atMost)} may have changed.`,
    ],
  ];
  return withoutFalse([
    makeTableBlock(`${name}, ${formatCount(flips.items, 'item')}`, ['what', 'how often'], rows),
    !isByItem &&
      joinSentences('Variants of one memo are not independent, so their counts have no intervals.'),
  ]);
}

function makeConfidenceSections({ arms: all }: Analysis): Section[] {
  const rows = all.flatMap(({ name, calibration: of }): Row['cells'][] =>
    of === undefined
      ? []
      : [
          [
            name,
            String(of.units),
            of.brier.toFixed(3),
            of.base.toFixed(3),
            of.skill === undefined ? '-' : formatSigned(of.skill),
          ],
        ],
  );
  return rows.length === 0
    ? []
    : [
        makeSection(
          'Confidence',
          makeTableBlock(
            'Brier score of the stated confidence; 0 is best.',
            ['arm', '>units', '>Brier', '>of the base rate', '>skill, of 100'],
            rows,
          ),
          joinSentences(
            'The base rate always states the overall accuracy of the arm. Skill below 0 is worse than that.',
          ),
        ),
      ];
}

function makeLossSections(analysis: Analysis): Section[] {
  const [main] = Object.values(analysis.primary);
  if (main === undefined || main.units.lost.length === 0) return [];
  const { lost: names, kinds } = main.units;
  const rest = names.length - NAMED;
  return [
    makeSection(
      `Where ${main.arm} loses`,
      makeTableBlock(
        `${main.arm} against ${main.against}, its worst kind first`,
        ['kind', '>lost', '>won'],
        kinds.map(({ kind, worse, better }) => [kind, String(worse), String(better)]),
      ),
      makeVerbatim(names.slice(0, NAMED).join('\n') + (rest > 0 ? `\nand ${rest} more` : '')),
    ),
  ];
}

function makeCheckingSection(header: Header, analysis: Analysis): Section {
  return makeSection(
    'To check these figures',
    joinSentences(
      'All figures are computed from the log of answers alone, without randomness: the same log gives the same report.',
      `The number of ${getUnitNoun(analysis)}s (${header.units}) and the primary contrast were fixed before the first call.`,
      'docs/evaluation.md explains each figure.',
    ),
  );
}
