/** Tests with the real program that `--unsandboxed` counts only for the run it starts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { KERNEL } from '../../src/kernel/facts.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { Program } from '../e2e/program.ts';
import { makePersonRepository } from '../workshop/place.ts';

const TEAM = ['team', '--rehearse', '--rehearse-speed', '1000', '--plain', '--yes'];

it('--unsandboxed counts as the person’s yes to checks without a sandbox', async () => {
  const repository = makePersonRepository();
  const db = join(repository.root, 'runs.db');
  const bin = join(repository.root, 'bin');
  mkdirSync(bin);
  const programs = {
    bwrap: 'exit 1',
    'sandbox-exec': 'exit 1',
    // This stand-in for npm runs the example's only script directly, because npm itself takes a second for
    // each check.
    npm: 'exec node --test --test-isolation=none',
  };
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const { HOME = '', XDG_STATE_HOME = '' } = repository.env;
  const PATH = `${bin}${delimiter}${repository.env.PATH ?? ''}`;
  const startRun = (...args: string[]) =>
    new Program([...TEAM, '--db', db, ...args], { env: { PATH, HOME, XDG_STATE_HOME } }).ended;
  const readAnswers = () => {
    const store = Store.open(db, FACTS);
    const [newest] = store.list();
    const facts = store.facts(newest?.id ?? '');
    store.close();
    return facts
      .filter(KERNEL.is('gate.answered'))
      .filter(({ step }) => step === 'base/unboxed')
      .map(({ answer, by }) => [answer, by]);
  };
  const refused = await startRun();
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('checks may not be run without a sandbox');
  expect(readAnswers()).toEqual([['no', 'default']]);
  const held = await startRun('--unsandboxed');
  expect([held.code, held.err]).toEqual([0, expect.stringMatching(/^run \S+ done\./m)]);
  expect(readAnswers()).toEqual([['yes', 'person']]);
});
