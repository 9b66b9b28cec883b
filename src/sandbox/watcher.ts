/**
 * Ends a command where we cannot: killed with -9, the program runs no code of its own. A small shell
 * script reads from a pipe that we hold open. As long as we live it waits; a line that says so sends it
 * home; and where the pipe closes without that line, it ends the command's group and whoever carries
 * its mark. It is started before the command, so that there is no moment in between, and without the
 * mark, so that it does not find itself.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { MARK } from './family.ts';

const SCRIPT = `
read -r group || group=
read -r done && exit 0
end() {
  [ -n "$group" ] && kill "-$1" -- "-$group" 2>/dev/null
  for file in $(grep -lsaF -- "$2" /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${file#/proc/}
    kill "-$1" "\${pid%/environ}" 2>/dev/null
  done
}
end TERM "$1"
sleep 1
for round in 1 2 3 4 5; do end KILL "$1"; sleep 0.1; done
`;

interface Watcher {
  /** Says which group is to be ended. */
  readonly watch: (group: number) => void;
  /** All is ended: there is nothing to watch any more. */
  readonly dismiss: () => Promise<void>;
}

/** A watcher that does nothing, for systems on which no watcher runs. */
export const UNWATCHED: Watcher = { watch: () => undefined, dismiss: () => Promise.resolve() };

/** Undefined where no shell can be started. */
export async function startWatcher(mark: string): Promise<Watcher | undefined> {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'watcher', `${MARK}=${mark}`], {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    // In a session of its own: Ctrl-C at the terminal is not meant for it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = once(child, 'exit').catch(() => undefined);
  child.stdin.on('error', () => undefined);
  try {
    await once(child, 'spawn');
  } catch {
    return undefined;
  }
  return {
    watch: (group) => void child.stdin.write(`${group}\n`),
    dismiss: async () => {
      // Two lines, so that it goes as well where the first was never written.
      child.stdin.end('0\ndone\n');
      await gone;
    },
  };
}
