/**
 * Ends a command if this program is killed with SIGKILL and can run no code. A small shell script reads
 * from a pipe that this program holds open. As long as the program lives, the script waits; a second line
 * ends it; if the pipe closes without that line, the script ends the command's process group and all processes
 * that have the command's mark in the environment variable `MARK`. The script is started before the command,
 * so that there is no gap, and without this variable, so that it does not find itself.
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
  /** Sets the process group to end. */
  readonly watch: (group: number) => void;
  /** Ends the watcher, when the command has ended. */
  readonly dismiss: () => Promise<void>;
}

/** A watcher that does nothing, for systems on which none can be started. */
export const UNWATCHED: Watcher = { watch: () => undefined, dismiss: () => Promise.resolve() };

/**
 * Starts a watcher, which is a shell script that goes on if this program is killed. It then ends the
 * command's process group and, on Linux, all processes in whose environment the variable `MARK` begins with
 * `mark`. Resolves to undefined if no shell can be started.
 */
export async function startWatcher(mark: string): Promise<Watcher | undefined> {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'watcher', `${MARK}=${mark}`], {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    // The watcher gets a process group of its own, so that Ctrl-C in the terminal does not end the watcher.
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
      // The watcher ends at its second line. Send two lines, because none was sent if the command did not start.
      child.stdin.end('0\ndone\n');
      await gone;
    },
  };
}
