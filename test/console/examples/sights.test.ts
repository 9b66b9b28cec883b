/**
 * What people asked for, as it looks now, in one file: answers as their finished page, columns that stay, seats
 * that failed, the walk before rounds, the vote and the signals, what a text cites, the list of commands, exports.
 */
import { expect, it, onTestFinished } from 'vitest';
import { KEYMAP } from '../../../src/console/keys/keymap.ts';
import { Theme } from '../../../src/console/terminal/theme.ts';
import { drawCasting } from '../../../src/protocols/rounds/view/casting/page.ts';
import { handleKey, startWalk } from '../../../src/protocols/rounds/view/casting/walk.ts';
import { castingOffer } from '../casting/offer.ts';
import { makeFullBoard } from '../fake-board.ts';
import { FakeRun, makeProse } from '../fake-run.ts';
import { type ConsoleOptions, KEYS, type OpenedConsole, openRunConsole } from '../terminal.ts';
import { openExample } from './example.ts';

/** The keys that are pressed one after the other. The screen is compared after each. */
type Sight = readonly [what: string, ...keys: string[]];

const SIZES = [
  [80, 24],
  [140, 40],
] as const;

const SIGHTS: readonly (readonly [
  of: string,
  show: (columns: number, rows: number) => OpenedConsole,
  ...sights: Sight[],
])[] = [
  [
    'board',
    (...size) => openExample('board', ...size),
    ['the answer first'],
    ['its columns', KEYS.tab],
  ],
  [
    'rounds',
    (...size) => openExample('rounds', ...size),
    ['the answer beside its rounds'],
    ['the commands, of which none would pause it', ':'],
    ['the answer alone', KEYS.escape, '1'],
    ['what it cites', '#'],
    ['what each role said last', KEYS.escape, KEYS.tab],
    ['the vote', 'v'],
    ['the signals', '4', 'g'],
  ],
  [
    'agents',
    (...size) => openExample('agent', ...size),
    ['the answer, as long as it is'],
    ['what each agent said last', KEYS.tab],
  ],
  [
    'a team',
    (...size) => openExample('team', ...size),
    ['who did what'],
    ['what it came to', '1'],
    ['what each of it said last', KEYS.tab],
  ],
  [
    'a run with two of three seats lost',
    (...size) => openConsole(lostTwo(), size),
    ['as it ended'],
  ],
  [
    'a run that is open in another terminal',
    (...size) => openConsole(makeFullBoard(), size, { acting: false, elsewhere: true }),
    ['as it stands'],
  ],
  ['a run', (...size) => openConsole(makeFullBoard(), size), ['what can be exported', 'e']],
];

it.each(SIZES.flatMap((size) => SIGHTS.map(([of, ...rest]) => ({ of, size, rest }))))(
  'chosen screens of $of look like their stored snapshots at $size',
  async ({ of, size: [columns, rows], rest: [show, ...sights] }) => {
    const { screen, press } = show(columns, rows);
    for (const [what, ...keys] of sights) {
      await press(...keys);
      for (const line of screen.lines) expect(line.length).toBeLessThanOrEqual(columns);
      expect(`\n${screen.text}\n`).toMatchSnapshot(`${of}: ${what}`);
    }
  },
);

it.each(SIZES)(
  'the screens on which a person sets up a run of rounds look like their stored snapshots at %i×%i',
  (columns, rows) => {
    const asked = { ...castingOffer, question: 'Should we split the monolith?' };
    const look = { offer: asked, theme: new Theme(0), keymap: KEYMAP, columns, rows, now: 0 };
    let walk = startWalk(asked);
    for (let step = 0; step < 7; step += 1) {
      const page = drawCasting(walk, look).map((row) => row.replace(/\u001b\[\d+m/g, '').trimEnd());
      expect(`\n${page.join('\n')}\n`).toMatchSnapshot(`step ${step + 1}`);
      walk = handleKey(walk, 'enter', asked);
    }
  },
);

function openConsole(
  run: FakeRun,
  [columns, rows]: readonly [number, number],
  opening: ConsoleOptions = {},
): OpenedConsole {
  const opened = openRunConsole(run, { ...opening, columns, rows });
  onTestFinished(async () => {
    opened.console.close();
    await opened.console.closed;
  });
  return opened;
}

/** Returns a run whose synthesis is based on one answer. */
function lostTwo(): FakeRun {
  const run = new FakeRun().open('Should we split it?').ask('advocate', 'critic', 'analyst');
  run.wait(900).say('advocate', makeProse(1, 40)).done('advocate');
  run.fail('critic', 'timeout', 'nothing came for 2 minutes', 'Use a longer --seat-timeout.');
  run.fail('analyst', 'not-found', 'the model is not there', 'Pull it first.');
  run.ask('synthesizer/1').say('synthesizer/1', '## Recommendation\n\nSplit it.');
  const excluded = ['critic', 'analyst'].map((seat) => ({ seat, reason: 'failed' }));
  return run.synthesize(1, { included: ['advocate'], excluded }).end('done');
}
