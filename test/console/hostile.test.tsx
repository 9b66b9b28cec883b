/**
 * Promise: whatever models, providers, presets and questions say, the terminal gets from us only
 * what we mean it to do. Checked on the raw bytes, not on the screen. A run is shown with each attack alone;
 * records and boards with several at once, and in the long form with each alone as well.
 */
import { expect, test } from 'vitest';
import { LONG } from '../long.ts';
import { findForeignText } from '../text/terminal-bytes.ts';
import { FakeRounds } from './fake-rounds.ts';
import { FakeRun, makeFakeSeat } from './fake-run.ts';
import { KEYS, openRunConsole } from './terminal.ts';

/** Attacks, and the parts of each that must not appear on the screen even as text. */
const ATTACKS: Readonly<Record<string, readonly [attack: string, gone?: string]>> = {
  clipboard: ['\u001b]52;c;cm0gLXJmIC8=\u0007', 'cm0gLXJm'],
  'clipboard, C1': ['\u009d52;c;cm0gLXJmIC8=\u009c', 'cm0gLXJm'],
  'clipboard, never ended': ['\u001b]52;c;ZWNobyBoaQ=='],
  title: ['\u001b]0;pwned\u0007', 'pwned'],
  link: ['\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007', 'evil.example'],
  colour: ['\u001b[38;5;213mpink', '5;213m'],
  'colour, C1': ['\u009b38;5;213mpink', '5;213m'],
  'cursor and erase': ['\u001b[2J\u001b[1;1Hfake', '1;1Hfake'],
  'scroll region': ['\u001b[3;4r', '3;4r'],
  'alternate screen': ['\u001b[?1049lout', '?1049lout'],
  'device status': ['\u001b[6n\u001b[c\u001b[>q', '[6n'],
  'DCS, APC, PM, SOS': [
    '\u001bP1$rA\u001b\\\u001b_GB\u001b\\\u001b^xC\u001b\\\u001bXxD\u001b\\',
    '$rA',
  ],
  'single shifts and resets': ['\u001bc\u001bN\u001bO\u001b7\u001b8\u001b(0'],
  bidi: ['\u202egnp.exe\u202c \u2066x\u2069'],
  'zero width and tags': ['a\u200bb\u2060c\ufeffd\u{e0041}'],
  controls: ['a\u0000b\u0007c\u0008d\u000ce\u007f'],
  'carriage return': ['first\rsecond'],
  'half an escape': ['\u001b'],
  'half a CSI': ['\u001b['],
};
const ALL = Object.values(ATTACKS)
  .map(([attack]) => attack)
  .join(' ');

/** Returns a run in which everything that others may write is the attack. */
function makeHostileRun(attack: string): FakeRun {
  const run = new FakeRun();
  run.open(`question ${attack}`, [
    { ...makeFakeSeat('one', `title ${attack}`, `ollama/model ${attack}`), colour: attack },
    makeFakeSeat('two', 'Two', `ollama/${attack}`),
    makeFakeSeat('three', 'Three', 'ollama/plain'),
  ]);
  return run.ask('one', 'two', 'three');
}

function playAttack(run: FakeRun, attack: string): void {
  run.send('one').say('one', `before ${attack} after\n\n**bold ${attack}** \`code ${attack}\``);
  for (const character of `${attack} in pieces `) run.say('one', character);
  run.send('two').think('two', `thinking ${attack}`);
  run.news('three', { type: 'queued', behind: `queue ${attack}` });
}

function endRun(run: FakeRun, attack: string): void {
  run.done('one');
  run.fail('two', 'server', `message ${attack}`, `next ${attack}`);
  run.news('three', { type: 'retrying', attempt: 1, delayMs: 9000, reason: `reason ${attack}` });
  run.ask('synthesizer/1').say('synthesizer/1', `## Consensus ${attack}\n\ntext ${attack}`);
  run.synthesize(1, {
    included: ['one'],
    excluded: [{ seat: 'two', reason: `because ${attack}` }],
    labels: { [`A ${attack}`]: 'one' },
    note: `note ${attack}`,
    missing: [`heading ${attack}`],
  });
}

function expectClean(raw: string, gone: readonly string[] = []): void {
  expect(findForeignText(raw)).toBe('');
  for (const text of gone) expect(raw).not.toContain(text);
  expect(raw.match(/\u001b\[\?1049l/g)?.length ?? 0).toBeLessThanOrEqual(1);
}

interface Case {
  readonly name: string;
  readonly attack: string;
  readonly gone: readonly string[];
}

const CASES: readonly Case[] = Object.entries(ATTACKS).map(([name, [attack, gone]]) => ({
  name,
  attack,
  gone: gone === undefined ? [] : [gone],
}));
const EVERYTHING: Case = { name: 'all attacks in one text', attack: ALL, gone: [] };

/** Attacks without an end: a terminal would hide the text behind them. */
const ENDLESS = ['clipboard, never ended', 'half an escape', 'half a CSI'];

/** Texts with several attacks, of which the last one never ends. */
const TOGETHER: readonly Case[] = LONG
  ? CASES
  : ENDLESS.map((last, turn) => {
      const whole = CASES.filter(({ name }) => !ENDLESS.includes(name));
      const some = whole.filter((_one, at) => at % ENDLESS.length === turn);
      const all = [...some, ...CASES.filter(({ name }) => name === last)];
      return {
        name: all.map(({ name }) => name).join(', '),
        attack: all.map(({ attack }) => attack).join(' '),
        gone: all.flatMap(({ gone }) => gone),
      };
    });

test.concurrent.each([...CASES, EVERYTHING])(
  'no control sequence from any text of a run reaches the terminal: $name',
  async ({ attack, gone }) => {
    const run = makeHostileRun(attack);
    const path = `/tmp/report ${attack}.md`;
    const console = openRunConsole(run, {
      columns: 160,
      rows: 30,
      exportReport: () => Promise.resolve(path),
    });
    playAttack(run, attack);
    await console.screen.settled();
    endRun(run, attack);
    run.tell('gate.opened', {
      step: 'gate/1',
      prompt: `prompt ${attack}`,
      options: [{ value: 'yes', label: `label ${attack}` }],
      default: 'yes',
    });
    await console.screen.settled();
    run.tell('gate.answered', { step: 'gate/1', answer: 'yes', by: 'person' });
    run.end('failed', `reason ${attack}`);
    await console.press('?', KEYS.escape, 'e', 'm');
    expectClean(console.screen.raw, gone);
    console.keyboard.write('/');
    await console.press(
      `\u001b[200~${attack.replaceAll('\u001b', '')} pasted\u001b[201~`,
      KEYS.enter,
    );
    console.console.close();
    await console.console.closed;
    expectClean(console.screen.raw);
  },
);

test('expectClean, which checks that a screen contains no foreign control sequences, throws for every hostile text', () => {
  for (const { name, attack, gone } of CASES)
    expect(
      () => expectClean(`\u001b[1mours\u001b[22m ${attack} \u001b[?1049l`, gone),
      name,
    ).toThrow();
});

test('the message about a failed export contains no control sequences', async () => {
  const run = makeHostileRun('x').end('done');
  const console = openRunConsole(run, {
    exportReport: () => Promise.reject(new Error(`EACCES ${ALL}`)),
  });
  await console.press('e', 'm');
  expect(console.screen.text).toContain('Not exported: EACCES');
  console.console.close();
  await console.console.closed;
  expectClean(console.screen.raw);
});

test.concurrent.each([...TOGETHER, EVERYTHING])(
  'no control sequence from the records of rounds reaches the terminal: $name',
  async ({ attack, gone }) => {
    const run = new FakeRounds().start(`question ${attack}`);
    const console = openRunConsole(run, { columns: 110, rows: 34 });
    run.round(1, 'action', undefined, attack).round(2, 'guardian', 'critic', attack);
    // Record facts in which even ids and references contain the control sequences. Only in a manipulated log can
    // this happen.
    run.tell('verification.recorded', {
      id: `V-2-9 ${attack}`,
      round: 2,
      check: 'critic_attack_on_action_trace',
      result: 'BROKEN',
      evidence_refs: [`artifacts/${attack}.md#${attack}`, attack],
      notes: attack,
      degraded: attack,
    });
    run.tell('claim.moved', {
      claim: 'C-1-1',
      round: 2,
      from: 'tested_refuted',
      to: 'tested_unclear',
      verification: `V-2-9 ${attack}`,
      why: attack,
    });
    run.tell('round.started', { round: 3, lead: 'observer' }).phase(3, 'D');
    const call = run.begin('round-3/D/critic', 'critic');
    const json = JSON.stringify({ title: attack, points: [attack, { [attack]: attack }] });
    run.stream('round-3/D/critic', 'critic', call, json);
    run.stream('round-3/D/critic', 'critic', call, '{"raw \\u001b[2J \\u202e": "\\u009b31m"}');
    await console.screen.settled();
    await console.press('g', 'j', KEYS.enter, 'j', KEYS.escape);
    for (let step = 0; step < 9; step += 1) await console.press('jjj');
    await console.press('3', KEYS.enter);
    for (let step = 0; step < 4; step += 1) await console.press('j', KEYS.enter, 'j');
    await console.press('4', 'G', '5', 'g', '6', 'i', 'x', KEYS.enter);
    expectClean(console.screen.raw, gone);
    console.console.close();
    await console.console.closed;
  },
);

test.concurrent.each([...TOGETHER, EVERYTHING])(
  'no control sequence from any text of a finished board reaches the terminal: $name',
  async ({ attack, gone }) => {
    const run = new FakeRun();
    run.open(`question ${attack}`, [
      makeFakeSeat('one', 'One', 'ollama/one'),
      makeFakeSeat('two', 'Two', 'ollama/two'),
    ]);
    run.ask('one', 'two');
    for (const id of ['one', 'two']) run.send(id).say(id, `before ${attack} after`).done(id);
    for (const id of ['one', 'two'])
      run.tell('ballot.cast', {
        question: 1,
        seat: id,
        model: `model ${attack}`,
        confidence: 0.5,
        step: `seat/${id}`,
        position: `position ${attack}`,
        option: id === 'one' ? attack : `option ${attack}`,
      });
    run.ask('synthesizer/1').say('synthesizer/1', `## Recommendation\n\ntext ${attack}`);
    run.synthesize(1);
    const cell = { seat: 'one', side: 'for' as const, quote: `before ${attack} after` };
    run.tell('agreement.mapped', {
      question: 1,
      version: 1,
      model: attack,
      step: 'agreement/1',
      rehearsal: false,
      options: [{ option: `mapped ${attack}`, seats: ['one'] }],
      points: [{ text: `point ${attack}`, cells: [cell] }],
      dropped: [{ ...cell, point: attack }],
    });
    run.ask('synthesizer/2').say('synthesizer/2', `## Recommendation\n\nother ${attack}`);
    run.synthesize(2, { included: ['two'], excluded: [{ seat: 'one', reason: attack }] });
    run.tell('influence.weighed', {
      question: 1,
      base: 1,
      without: 'one',
      version: 2,
      change: 'course',
      how: attack,
      step: 'influence/1/2',
      rehearsal: false,
    });
    run.tell('baseline.completed', {
      question: 1,
      kind: 'vote',
      model: `m ${attack}`,
      samples: 3,
      text: attack,
      groups: [{ option: `group ${attack}`, samples: 3 }],
      tokens: 10,
      panelTokens: 20,
      rehearsal: false,
    });
    run.tell('seat.changed', { seat: 'two', model: `changed ${attack}` });
    run.tell('question.asked', { number: 2, text: `second ${attack}` }).end('done');
    const console = openRunConsole(run, {
      columns: 120,
      rows: 40,
      models: () => Promise.resolve([{ spec: `ollama/${attack}`, detail: attack }]),
    });
    await console.press('{', 'v', 'j', 'j', KEYS.enter);
    expect(console.screen.text).toMatch(/>before/);
    await console.press('v', 'G', KEYS.enter, KEYS.escape, 'k', KEYS.enter, '|', KEYS.escape);
    await console.press(
      '}',
      'M',
      KEYS.down,
      KEYS.enter,
      'r',
      KEYS.tab,
      KEYS.right,
      KEYS.escape,
      'a',
    );
    console.keyboard.write('\u001b[200~pasted \u202e text\u001b[201~');
    await console.press(KEYS.escape, '6');
    expectClean(console.screen.raw, gone);
    console.console.close();
    await console.console.closed;
  },
);
