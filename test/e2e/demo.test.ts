/**
 * Tests the recorded examples: on a real terminal, as text and from the home screen; nothing is written
 * anywhere.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EXAMPLES as FILES, fileOfExample, makeExample } from '../golden/examples.ts';
import { readGolden } from '../golden/journal.ts';
import { toJsonLines } from '../golden/kept.ts';
import { runDeliberate } from './calls.ts';
import { Terminal } from './terminal.ts';

function emptyHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'deliberate-demo-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

const NAMES = [...FILES.keys()];

describe('the built-in example', () => {
  it.each(NAMES)(
    '%s contains a recorded run in which a person wrote the models’ answers, in less than 60 kB',
    (name) => {
      const golden = readGolden(FILES.get(name) ?? expect.fail('no golden journal'));
      const text = gunzipSync(readFileSync(fileOfExample(name))).toString('utf8');
      // To write the example's file again, run: npx node test/golden/keep.ts --examples
      expect(text).toBe(toJsonLines(makeExample(golden.facts)));
      expect(text).not.toMatch(/ollama|mind-[a-z]/);
      expect(statSync(fileOfExample(name)).size).toBeLessThan(60_000);
    },
  );
});

describe('deliberate demo', () => {
  it.each(NAMES)(
    'prints the example %s after the word EXAMPLE, and writes no file',
    async (name) => {
      const home = emptyHome();
      const { code, out, err } = await runDeliberate(['demo', name, '--plain'], {
        env: { HOME: home },
      });
      expect(code).toBe(0);
      expect(out).toMatch(/^EXAMPLE: recorded by hand/);
      expect(out).not.toContain('REHEARSAL');
      expect(out).toContain('recorded by hand');
      expect(err).toMatch(/Ask a question of your own: deliberate (?:board|rounds|agent|team) /);
      expect(readdirSync(home, { recursive: true })).toEqual([]);
    },
  );

  it('plays the example of a board by default, and prints facts as JSON with --json', async () => {
    const env = { HOME: emptyHome() };
    const plain = await runDeliberate(['demo', '--quiet'], { env });
    expect(plain).toMatchObject({ code: 0, err: '' });
    expect(plain.out).toContain('# Synthesis v1');
    expect(plain.out).toContain('Quotations: 7 looked up, all found.');
    const { out, err } = await runDeliberate(['demo', 'agent', '--json'], { env });
    expect(err).toBe('');
    const [first] = out.split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ type: 'run.started', protocol: 'agent' });
  });

  it('shows in a stress round which role is absent, and what its absence was predicted to change', async () => {
    const { out } = await runDeliberate(['demo', 'stress', '--plain'], {
      env: { HOME: emptyHome() },
    });
    expect(out).toContain('Guardian leads. A stress round, without Critic.');
    expect(out).toContain('V-2-1 · attack against the trace · N/A: stress round');
    expect(out).toContain('Predicted about the absence: No claim of this round names a way around');
  });

  it('shows a decision from its predictions to their outcomes', async () => {
    const { out } = await runDeliberate(['demo', 'decision', '--plain'], {
      env: { HOME: emptyHome() },
    });
    const parts = [
      '## Predictions (v1)',
      '# 2026-01-16, 1 day later',
      'Decided: Move the queue into a SQLite file',
      'The clock of the machine was set forward by three months',
      '# 2026-04-15, 89 days later',
      'Due on that day:',
      'P-1-1 (2026-04-10)',
      'did not come true (said on 2026-04-15 by Ada); the panel had said 45 %',
      'Brier score on 3 predictions that were answered: panel 0.131, Advocate 0.138',
      'The decision was looked at again.',
      '# What deliberate track says then',
      'example/alder, recorded by hand: 1 decision, 3 predictions',
      'too few to say',
    ];
    const places = parts.map((part) => out.indexOf(part));
    expect(places.filter((place) => place < 0)).toEqual([]);
    expect(places).toEqual(places.toSorted((left, right) => left - right));
  });

  it('prints nothing but JSON facts if --json is given for the example "decision"', async () => {
    const { out } = await runDeliberate(['demo', 'decision', '--json'], {
      env: { HOME: emptyHome() },
    });
    const types = out
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row).type);
    expect(types.at(0)).toBe('run.started');
    expect(types.at(-1)).toBe('decision.reviewed');
  });

  it('refuses an unknown example, and more than one example', async () => {
    const env = { HOME: emptyHome() };
    const unknown = await runDeliberate(['demo', 'constructor'], { env });
    expect(unknown).toMatchObject({ code: 2, out: '' });
    expect(unknown.err).toContain('unknown example "constructor"');
    expect(unknown.err).toContain('board, rounds, stress, agent, team');
    expect((await runDeliberate(['demo', 'board', 'rounds'], { env })).code).toBe(2);
  });

  it('plays on a terminal: p pauses, E skips to the end, and s says that a replay changes nothing', async () => {
    const home = emptyHome();
    const terminal = new Terminal(['demo'], { env: { HOME: home } });
    const first = await terminal.until(/▶ replay 1×/);
    expect(first).toContain(' EXAMPLE ');
    expect(first).toContain('recorded by hand');
    expect(first).toContain('Should we approve the plan to move the billing database');
    terminal.press('p');
    await terminal.until(/‖ replay 1×/);
    terminal.press('E');
    const done = await terminal.until(/■ replay 1×, end/);
    expect(done).toContain(' EXAMPLE ');
    terminal.press('2');
    await terminal.until(/\[2 Vote\]/);
    terminal.press('s');
    await terminal.until(/This is a replay: nothing is asked and nothing changes\./);
    terminal.press('q');
    expect(await terminal.exited).toBe(0);
    expect(readdirSync(home, { recursive: true })).toEqual([]);
  });

  it.each([
    ['rounds', /Should we build the standby/],
    ['team', /Add habit streak NAME/],
    ['decision', /Should the queue move into a SQLite file/],
  ])('plays the example %s on a terminal', async (name, question) => {
    const terminal = new Terminal(['demo', name, '--speed', '16'], { env: { HOME: emptyHome() } });
    const first = await terminal.until(/▶ replay 16×/);
    expect(first).toContain(' EXAMPLE ');
    expect(first).toMatch(question);
    terminal.press('E');
    await terminal.until(/■ replay 16×, end/);
    terminal.press('q');
    expect(await terminal.exited).toBe(0);
  });

  it('shows 89 days without events as a short pause, and then how many predictions came true', async () => {
    const args = ['demo', 'decision', '--from', '32s', '--speed', '0.25'];
    const terminal = new Terminal(args, { env: { HOME: emptyHome() } });
    await terminal.until(/a silence of 89 days, shortened/);
    terminal.press('E');
    await terminal.until(/3 predictions, panel 45 to 76 %, 2 of 3 answered came true/);
    terminal.press('5');
    await terminal.until(/Brier score on 3 predictions that were answered/);
    terminal.press('q');
    expect(await terminal.exited).toBe(0);
    expect(terminal.raw).toContain('# What deliberate track says then');
  });

  it('is offered by the home screen if no model is found', async () => {
    // No model server listens at port 9 of this machine.
    const env = { HOME: emptyHome(), OLLAMA_HOST: 'http://127.0.0.1:9' };
    const terminal = new Terminal([], { env });
    await terminal.until(/none found/);
    terminal.press('Should we?\r');
    await terminal.until(/3 Play a recorded example/);
    terminal.press('3');
    await terminal.until(/Which example\?/);
    terminal.press('agent');
    await terminal.until(/Which example\?\s+\/ agent/);
    terminal.press('\r');
    await terminal.until(/Should we go ahead.* EXAMPLE +▶ replay 1×/);
    terminal.press('q');
    await terminal.until(/What is to be decided\?/);
    // The home screen has kept the question that was typed before the example was played.
    expect(await terminal.screen()).toContain('Should we?');
    terminal.press('\u0018');
    await terminal.until(/Which example\?/);
    terminal.press('\u0003');
    terminal.press('\u0003');
    expect(await terminal.exited).toBe(0);
  });
});
