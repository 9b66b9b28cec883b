/**
 * A pull request by `gh`, where it is installed and somebody has asked for one. The work is pushed from
 * the run's own copy as one branch that is not there yet; no hook runs. Who signs in, and how, is between
 * the person, git and `gh`: the keys they keep are never read, and none is handed on in a variable.
 */
import { admit, DESKTOP } from '../io/environment.ts';
import { Secrets } from '../io/secrets.ts';
import { onPath } from '../io/tools.ts';
import type { Delivered } from '../kernel/tools/workshop.ts';
import { type Ended, runProcess } from '../sandbox/process.ts';
import type { Place } from './running/place.ts';

export interface RequestWish {
  /** Where it is pushed to: the address of a remote of the person's repository, or its path. */
  readonly remote: string;
  readonly branch: string;
  readonly commit: string;
  /** The branch over there that it is to be merged into. */
  readonly onto: string;
  readonly title: string;
  readonly body: string;
}

/** A push of a large repository over a slow line. */
const PUSH_MS = 600_000;
const ASK_MS = 60_000;

/** Where `gh` and `git` find how a person signs in; none of them is a key. */
const SIGNED_IN = ['SSH_AUTH_SOCK', 'XDG_CONFIG_HOME', 'GH_CONFIG_DIR', 'GH_HOST', ...DESKTOP];

const PUSHED = [
  ...[
    '-c',
    'core.hooksPath=/dev/null',
    '-c',
    'push.gpgSign=false',
    '-c',
    'protocol.ext.allow=never',
  ],
];

export async function openRequest(
  place: Place,
  { remote, branch, commit, onto, title, body }: RequestWish,
  signal: AbortSignal,
): Promise<Delivered> {
  const gh = onPath('gh', place.env);
  if (gh === undefined) return refuse('gh is not installed: https://cli.github.com');
  if (onPath('git', place.env) === undefined) return refuse('git is not installed');
  const ref = `refs/heads/${branch}`;
  const run = (argv: readonly string[], timeoutMs: number, input?: string): Promise<Ended> =>
    runProcess(
      {
        argv,
        // `gh` looks around for which repository is meant.
        cwd: place.repository,
        env: {
          ...admit(place.env, SIGNED_IN),
          ...{ GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GH_PROMPT_DISABLED: '1' },
          ...{ GIT_SSH_COMMAND: 'ssh -o BatchMode=yes', NO_COLOR: '1', LC_ALL: 'C' },
        },
        timeoutMs,
        mark: `${place.run}-${crypto.randomUUID()}`,
        input,
      },
      signal,
    );
  const git = (args: readonly string[], ms: number): Promise<Ended> =>
    run(['git', ...PUSHED, `--git-dir=${place.gitDir}`, ...args], ms);

  const listed = await git(['ls-remote', '--refs', '--', remote, ref], ASK_MS);
  if (listed.exit !== 0) return refuse(`the remote cannot be read: ${why(listed)}`);
  const there = /^([0-9a-f]{40,64})\trefs\//m.exec(listed.text)?.[1];
  if (there !== undefined && there !== commit)
    return refuse(`the remote has a branch ${branch} with another commit`);
  if (there === undefined) {
    const pushed = await git(['push', '--no-verify', '--', remote, `${commit}:${ref}`], PUSH_MS);
    if (pushed.exit !== 0) return refuse(`the branch cannot be pushed: ${why(pushed)}`);
  }
  // It may have been opened before we were stopped.
  const known = await run([gh, 'pr', 'view', branch, '--json', 'url', '--jq', '.url'], ASK_MS);
  const open = known.exit === 0 ? addressIn(known.text) : undefined;
  if (open !== undefined) return { done: true, how: 'request', branch, commit, url: open };
  const made = await run(
    [gh, 'pr', 'create', '--head', branch, '--base', onto, '--title', title, '--body-file', '-'],
    ASK_MS,
    body,
  );
  const url = made.exit === 0 ? addressIn(made.text) : undefined;
  if (made.exit !== 0) return refuse(`the branch is pushed, but gh failed: ${why(made)}`);
  return { done: true, how: 'request', branch, commit, ...(url === undefined ? {} : { url }) };
}

function refuse(why: string): Delivered {
  return { done: false, why };
}

function addressIn(text: string): string | undefined {
  return /^https?:\/\/\S+$/m.exec(text)?.[0];
}

/** In a line, and without a password that an address may have had in it. */
function why({ text, note, exit }: Ended): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const said =
    lines.find((line) => /^(?:fatal|error|!|remote: error)/i.test(line.trim())) ?? lines.at(-1);
  return new Secrets({}).conceal((said ?? note ?? `it ended with ${exit}`).trim()).slice(0, 300);
}
