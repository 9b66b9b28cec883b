/**
 * Tests coding agents without a sandbox: they need the consent of the person, and the files that they write
 * are found and named.
 */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeEnvWithoutSandbox } from '../workshop/bench.ts';
import { makeStandInAgent } from './orders.ts';
import { type AgentPlace, makeAgentPlace, seatOf, writeFile } from './seat.ts';

function makeUnboxed(): AgentPlace {
  const place = makeAgentPlace();
  return { ...place, env: makeEnvWithoutSandbox(place.env) as NodeJS.ProcessEnv };
}

describe('A coding agent without a sandbox', () => {
  it('is not started without a person’s permission', async () => {
    const { ask, provider } = seatOf(makeUnboxed(), makeStandInAgent(['say "no"']));
    expect(await provider.consent?.()).toMatch(/^There is no sandbox here: Stand-in could change/);
    expect((await ask()).attempt).toMatchObject({
      ok: false,
      failure: { code: 'rejected', message: expect.stringContaining('no sandbox') },
    });
    const { attempt, text } = await ask({}, { mayRunUnsandboxed: true });
    expect(attempt).toMatchObject({ ok: true, notes: ['Stand-in ran without a sandbox'] });
    expect(text).toBe('no');
  });

  it('needs no further consent of the person if permission was given beforehand', async () => {
    const { provider } = seatOf(makeUnboxed(), makeStandInAgent([]), { unsandboxed: true });
    expect(await provider.consent?.()).toBeUndefined();
  });

  it('has its answer rejected if it changes files, and the error names these files', async () => {
    const place = makeUnboxed();
    writeFile(join(place.folder, 'draft.txt'), 'draft');
    writeFile(join(place.home, '.profile'), '');
    mkdirSync(join(place.folder, '..', 'elsewhere'));
    symlinkSync('../elsewhere', join(place.folder, 'way'));
    const wanted = ['.git/hooks/pre-push', 'a.txt', 'draft.txt', 'new.txt', '../home/.profile'];
    const orders = [...wanted.map((path) => `write ${path} x`), 'write way/out x', 'ask edit'];
    const { ask } = seatOf(place, makeStandInAgent([...orders, 'say "Done."']), {
      unsandboxed: true,
    });
    const { attempt } = await ask();
    expect(attempt).toMatchObject({
      ok: false,
      failure: { next: 'It ran without a sandbox. Look at the changes; nothing was put back' },
    });
    const { message } = attempt.ok ? { message: '' } : attempt.failure;
    expect(message).toMatch(
      /^Stand-in: files changed while it answered, so the answer is set aside: /,
    );
    for (const path of [...wanted, 'way']) expect(message).toContain(join(place.folder, path));
    // The agent asked for permission to edit. It did not get the permission, with which it writes `allowed`.
    expect(existsSync(join(place.folder, 'allowed'))).toBe(false);
  });

  it('has a copy of its settings as its home: what it writes there is not in the person’s home', async () => {
    const place = makeUnboxed();
    writeFile(join(place.home, '.stand-in/settings.json'), '{}');
    const agent = makeStandInAgent(['write HOME/.stand-in/x x', 'say "done"'], {
      home: ['.stand-in'],
    });
    const { attempt } = await seatOf(place, agent, { unsandboxed: true }).ask();
    expect(attempt.ok).toBe(true);
    expect(existsSync(join(place.home, '.stand-in/x'))).toBe(false);
  });

  it('is reported if it changes files in a folder without git', async () => {
    const place = makeUnboxed();
    const plain = join(place.folder, '..', 'plain');
    writeFile(join(plain, 'deep/b.txt'), 'b');
    const { ask } = seatOf(place, makeStandInAgent(['write deep/b.txt x']), { unsandboxed: true });
    const { attempt } = await ask({}, { folders: [{ name: 'plain', path: plain }] });
    expect(attempt).toMatchObject({
      failure: { message: expect.stringContaining(join(place.folder, '..', 'plain/deep/b.txt')) },
    });
    expect(readFileSync(join(plain, 'deep/b.txt'), 'utf8')).toBe('bx');
  });
});
