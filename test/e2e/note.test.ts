/**
 * Tests `deliberate note`: a line in the iteration log of a run that has ended, wherever the run is read.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runDeliberate } from './calls.ts';
import { makeDatabasePath, makeFolder } from './scene.ts';

const LINE = 'The critic found nothing until it had the load figures';

describe('deliberate note', () => {
  it('adds lines to a finished run, which are exported with the run', async () => {
    const db = makeDatabasePath();
    const env = { DELIBERATE_DB: db };
    const held = [
      'rounds',
      'Split it?',
      '--rehearse',
      '--rehearse-speed',
      '1000',
      '--rounds',
      '1',
      '--plain',
      '--quiet',
    ];
    expect((await runDeliberate(held, { env })).code).toBe(0);
    const added = await runDeliberate(['note', 'latest', `${LINE}\u001b[2J\n<b>`], { env });
    expect(added).toMatchObject({ code: 0, out: '' });
    expect(added.err).toMatch(/^Added to the iteration log of run [0-9a-f-]+\.\n$/);
    const again = await runDeliberate(['note', 'Eight rounds were enough'], { env });
    expect(again.err).toMatch(/^Latest run: .*"Split it\?"\nAdded/);

    const shown = (await runDeliberate(['show', 'latest'], { env })).out;
    expect(shown).toMatch(
      new RegExp(`## Iteration log\\n\\n- \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC: ${LINE} `),
    );
    expect(shown).toContain('UTC: Eight rounds were enough');
    const file = join(makeFolder(), 'run.html');
    await runDeliberate(['export', 'latest', '--format', 'html', '--to', file], { env });
    const page = readFileSync(file, 'utf8');
    expect(page).toContain(`${LINE} &lt;b&gt;`);
    const played = await runDeliberate(['replay', 'latest', '--plain', '--speed', '1000'], { env });
    expect(played.out + played.err).toContain(`iteration log: ${LINE}`);

    const to = join(makeFolder(), 'records');
    await runDeliberate(['export', 'latest', '--format', 'records', '--to', to], { env });
    const [log = ''] = readdirSync(to, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('iteration_log.md'))
      .map((path) => readFileSync(join(to, path), 'utf8'));
    expect(log).toMatch(/## What calibration revealed\n\n- .*entrance test[\s\S]*verdicts? could/);
    expect(log).toContain(`UTC: ${LINE}`);
    expect(log).not.toContain('\u001b');
    expect((await runDeliberate(['validate', to], { env })).code).toBe(0);

    const archive = (await runDeliberate(['export', 'latest', '--format', 'json'], { env })).out;
    const elsewhere = { DELIBERATE_DB: makeDatabasePath() };
    expect((await runDeliberate(['import', '-'], { env: elsewhere, input: archive })).code).toBe(0);
    expect((await runDeliberate(['show', 'latest'], { env: elsewhere })).out).toContain(LINE);
  });

  it('refuses a line without words, and a line that is too long', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath() };
    expect((await runDeliberate(['note', 'latest', '…'], { env })).err).toContain(
      'the line has no words',
    );
    expect((await runDeliberate(['note', 'x'.repeat(2_001)], { env })).err).toContain(
      '2001 characters',
    );
    expect((await runDeliberate(['note', 'latest', 'a', 'b'], { env })).err).toContain(
      'expected a run',
    );
    expect((await runDeliberate(['note'], { env })).code).toBe(2);
    expect((await runDeliberate(['note', 'latest', 'Word'], { env })).code).not.toBe(0);
  });
});
