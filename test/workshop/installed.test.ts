/** Checks can read, but not write, what build tools have installed in a person's home. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCheck } from '../../src/workshop/running/checks.ts';
import { NO_BWRAP, needAll } from '../setup/needs.ts';
import { hasBwrap, makeBench } from './bench.ts';
import { checkOf, NEVER_ABORTED, NO_PROVISION } from './wishes.ts';

/** The folder below a home in which each tool keeps its downloads, by the variable that names the folder. */
const CACHES = {
  CARGO_HOME: '.cargo',
  GOMODCACHE: 'go/pkg/mod',
  MAVEN_OPTS: '.m2/repository',
} as const;

describe('caches of Cargo, Go and Maven for checks', () => {
  needAll(hasBwrap, NO_BWRAP);

  it.each(Object.entries(CACHES))(
    'can be read, but not written, in the folder that the variable %s names',
    async (name, below) => {
      // A sandbox shows a home folder below a temporary folder as empty, so put the home folder elsewhere.
      const bench = makeBench(undefined, process.cwd());
      const home = bench.env.HOME ?? '';
      mkdirSync(join(home, below, 'dep'), { recursive: true });
      writeFileSync(join(home, below, 'dep/index'), 'what was downloaded\n');
      const env = Object.fromEntries(
        Object.entries(bench.env).filter(([key]) => !(key in CACHES) && key !== 'GOPATH'),
      );
      const script = `
      cache=$(printenv ${name} | sed 's/^-Dmaven.repo.local=//')
      cat "$cache/dep/index"
      touch "$cache/dep/more" 2>/dev/null && echo written
      echo "$HOME" | grep -c "^${home}$"
      exit 0`;
      const wish = {
        tree: bench.base,
        check: checkOf(['sh', '-c', script]),
        provision: NO_PROVISION,
      };
      const ran = await runCheck({ ...bench, env }, wish, NEVER_ABORTED);
      expect(ran).toMatchObject({ exit: 0, output: 'what was downloaded\n0\n' });
    },
  );
});
