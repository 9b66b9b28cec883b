/** Tests the example of `team --rehearse` on machines with unusual git settings. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readFlags } from '../../src/app/flags.ts';
import type { Invocation } from '../../src/app/invocation.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';
import { findRepositoryGoal } from '../../src/protocols/team/desk/place.ts';
import { temporaryFolder } from '../store/folder.ts';

function withGitConfig(text: string, flags: Parameters<typeof readFlags>[0]): Promise<unknown> {
  const home = temporaryFolder();
  writeFileSync(join(home, '.gitconfig'), text);
  mkdirSync(join(home, 'repository'));
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, 'state') };
  const repo = flags.repo === undefined ? {} : { repo: join(home, 'repository') };
  const call = {
    command: 'team',
    words: [],
    protocols: PROTOCOLS,
    flags: { ...readFlags(flags), ...repo },
    env,
  };
  return findRepositoryGoal(call as unknown as Invocation);
}

it.each([
  ['refuses to convert line ends', '[core]\n\tsafecrlf = true\n\tautocrlf = true\n'],
  ['cannot be read', '[core\n'],
])(
  'the example repository of a team is created despite a global git configuration that %s',
  async (_what, text) => {
    expect(await withGitConfig(text, { rehearse: true })).toMatchObject({ isExample: true });
  },
);

it('the error contains git’s own message if git cannot read its settings for the repository that --repo names', async () => {
  await expect(withGitConfig('[core\n', { repo: 'repository' })).rejects.toThrow(
    /git rev-parse: bad config line 1/,
  );
});

it('a rehearsal with --spec fails if the file is missing, and does not use the example repository instead', async () => {
  const home = temporaryFolder();
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, 'state') };
  const flags = readFlags({ rehearse: true, spec: 'topic.spec.json' });
  const call = { command: 'team', words: [], protocols: PROTOCOLS, flags, env };
  await expect(findRepositoryGoal(call as unknown as Invocation)).rejects.toThrow(
    '--spec topic.spec.json: no such file',
  );
});
