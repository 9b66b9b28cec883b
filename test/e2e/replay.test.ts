/** Tests the replay on a real terminal: played, paused, moved, left; and as text without a terminal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runDeliberate } from './calls.ts';
import { makeDatabasePath, viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

async function recordBoard(speed: string, db = makeDatabasePath()) {
  const env = { DELIBERATE_DB: db };
  const board = ['board', '--rehearse', '--rehearse-speed', speed, '--seed', '7', '--plain'];
  expect((await runDeliberate([...board, 'Should we?'], { env })).code).toBe(0);
  return { db, env };
}

const findPlayedTime = (screen: string): string | undefined =>
  /played (\d\d:\d\d) of/.exec(screen)?.[1];

describe('a replay', () => {
  const place = mkdtempSync(join(tmpdir(), 'deliberate-replay-'));
  afterAll(() => rmSync(place, { recursive: true, force: true }));
  /** A slow recorded run, which tests only read. */
  let slow: ReturnType<typeof recordBoard> | undefined;
  const getSlowRun = () => {
    slow ??= recordBoard('4', join(place, 'runs.db'));
    return slow;
  };

  it('plays, pauses and moves both ways', async () => {
    const { db, env } = await getSlowRun();
    const before = viewIn(db).seq;
    const terminal = new Terminal(['replay', 'latest', '--speed', '0.25'], { env });
    const first = await terminal.until(/▶ replay 0\.25×/);
    expect(first).toContain('REHEARSAL');
    expect(first).toContain('silences shortened to 3.0s');
    await terminal.until(/~\d+ tok/);

    terminal.press('p');
    const paused = await terminal.until(/‖ replay 0\.25×/);
    terminal.press('+');
    await terminal.until(/‖ replay 0\.5×/);
    terminal.press('-');
    const later = await terminal.until(/‖ replay 0\.25×/);
    expect(findPlayedTime(later)).toBe(findPlayedTime(paused));
    expect(later).not.toContain('## Recommendation');

    terminal.press('>');
    const writing = await terminal.until(/The synthesizer is writing version 1/);
    expect(writing).toMatch(/✓ .*✓ .*✓ /);
    terminal.press(',');
    const back = await terminal.until(/0 of 3 seats have answered|No call in progress/);
    const isBetweenSeatsAndSynthesis = back.includes('No call in progress');
    if (isBetweenSeatsAndSynthesis) terminal.press(',');
    await terminal.until(/0 of 3 seats have answered; 3 are being asked/);
    terminal.press('s');
    await terminal.until(/This is a replay: nothing is asked and nothing changes\./);
    terminal.press('E');
    await terminal.until(/■ replay 0\.25×, end/);
    await terminal.until(/Done: 3 of 3 seats answered/);
    terminal.press('p');
    await terminal.until(/▶ replay 0\.25×/);

    expect(terminal.alternate).toBe(true);
    terminal.press('q');
    expect(await terminal.exited).toBe(0);
    await terminal.screen();
    expect(terminal.alternate).toBe(false);
    expect(viewIn(db).seq, 'it writes nothing').toBe(before);
  });

  it('begins at the step of --from, and stays on the chosen tab when the person steps back', async () => {
    const { env } = await getSlowRun();
    const args = ['replay', 'latest', '--speed', '0.25', '--from', 'synthesis/1'];
    const terminal = new Terminal(args, { env });
    await terminal.until(/The synthesizer is writing version 1/);
    terminal.press('p');
    await terminal.until(/‖ replay/);
    terminal.press('4');
    await terminal.until(/\[4 Log\]/);
    terminal.press(',');
    await terminal.until((screen) => !screen.includes('synthesis/1') && screen.includes('[4 Log]'));
    terminal.press('\u0003');
    expect(await terminal.exited).toBe(0);
  });

  it('prints the whole run at once if there is no terminal: as text, or with --json as facts', async () => {
    const { env } = await recordBoard('50');
    const plain = await runDeliberate(['replay', 'latest'], { env });
    expect(plain.code).toBe(0);
    expect(plain.out).toContain('REHEARSAL');
    expect(plain.out).toMatch(/# Synthesis v1/);
    const json = await runDeliberate(['replay', 'latest', '--json'], { env });
    const facts = await runDeliberate(['show', 'latest', '--json'], { env });
    expect(json.out).toBe(facts.out);
    expect((await runDeliberate(['replay', 'ffff'], { env })).code).toBe(1);
    const nowhere = await runDeliberate(['replay', 'latest', '--from', 'synthesis/9'], { env });
    expect(nowhere).toMatchObject({ code: 2, out: '' });
    expect(nowhere.err).toContain('--from synthesis/9: this run has no such step');
  });
});
