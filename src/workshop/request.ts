/**
 * Opens a pull request with the forge's program, if a person asked for one. The work is pushed from the
 * run's own copy as one new branch; no hook runs. Sign-in is between the person, git and that program: keys
 * are never read or passed on in variables. If the program is not installed, the command for it is
 * returned.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DESKTOP_VARIABLES, filterEnvironment } from '../io/environment.ts';
import { Secrets } from '../io/secrets.ts';
import { findOnPath } from '../io/tools.ts';
import type { DeliveryResult, Forge } from '../kernel/tools/workshop.ts';
import { shellOf } from '../platform/shells.ts';
import { type ProcessEnd, runProcess } from '../sandbox/process.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import { addressFor, commandFor, FORGES, forgeOf, hostOf } from './forges.ts';
import type { RunFolders } from './running/place.ts';

/** The pull request to open. */
export interface RequestWish {
  /** The address or path of the remote to push to. */
  readonly remote: string;
  /** The new branch of the remote. */
  readonly branch: string;
  /** The commit to push as the new branch. */
  readonly commit: string;
  /** The branch of the remote that the pull request is to be merged into. */
  readonly onto: string;
  readonly title: string;
  /** The text of the pull request; cut after 60,000 characters. */
  readonly body: string;
  /** The person's name for the remote, such as `origin`. */
  readonly name: string;
  /** The hosting service; absent: it is found by the remote's host. */
  readonly forge?: Forge | undefined;
}

/**
 * The result of opening a pull request. If the hosting service's program is not installed, `next` is
 * the command with which the person can open it elsewhere.
 */
export type PullRequestResult = DeliveryResult | { readonly done: false; readonly next: string };

/** The time limit of a push in milliseconds, for a large repository and a slow connection. */
const PUSH_MS = 600_000;
const ASK_MS = 60_000;

/** The variables by which git finds the person's sign-in; none contains a key. */
const SIGNED_IN = ['SSH_AUTH_SOCK', 'XDG_CONFIG_HOME', ...DESKTOP_VARIABLES];

/** The most characters of the text, by the limits of forges and of program arguments. */
const LONGEST_BODY = 60_000;

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

/**
 * Pushes the branch and opens the pull request. Each of the two steps is skipped if it was done
 * before. If one fails, the result says why.
 */
export async function openRequest(
  place: RunFolders,
  { remote, commit, body, forge: named, ...wish }: RequestWish,
  signal: AbortSignal,
): Promise<PullRequestResult> {
  const { branch } = wish;
  const forge = named ?? forgeOf(remote);
  if (forge === undefined)
    return refuseDelivery(
      `nobody can tell which forge ${hostOf(remote) ?? 'the remote'} is: name it with --forge github, gitlab or gitea`,
    );
  const { program, env: told, set, create, find, takes } = FORGES[forge];
  const text = body.slice(0, LONGEST_BODY);
  const there = findOnPath(program, place.env);
  if (there === undefined) {
    const file = join(place.folder, 'request.md');
    writeFileSync(file, text, { mode: 0o600 });
    return { done: false, next: commandFor(forge, wish, file, shellOf(place.env)) };
  }
  if (findOnPath('git', place.env) === undefined) return refuseDelivery('git is not installed');
  const ref = `refs/heads/${branch}`;
  const runProgram = (
    argv: readonly string[],
    timeoutMs: number,
    input?: string,
  ): Promise<ProcessEnd> =>
    runProcess(
      {
        argv,
        // Start the program in the repository's folder, by which it finds the repository.
        cwd: place.repository,
        env: {
          ...filterEnvironment(place.env, [...SIGNED_IN, ...told]),
          GIT_TERMINAL_PROMPT: '0',
          GIT_OPTIONAL_LOCKS: '0',
          ...set,
          GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
          NO_COLOR: '1',
          LC_ALL: 'C',
        },
        timeoutMs,
        mark: `${place.run}-${crypto.randomUUID()}`,
        input,
      },
      signal,
    );
  const callGit = (args: readonly string[], ms: number): Promise<ProcessEnd> =>
    runProgram(['git', ...PUSHED, `--git-dir=${place.gitDir}`, ...args], ms);

  const listed = await callGit(['ls-remote', '--refs', '--', remote, ref], ASK_MS);
  if (listed.exit !== 0) return refuseDelivery(`the remote cannot be read: ${explainEnd(listed)}`);
  const known = /^([0-9a-f]{40,64})\trefs\//m.exec(listed.text)?.[1];
  if (known !== undefined && known !== commit)
    return refuseDelivery(`the remote has a branch ${branch} with another commit`);
  if (known === undefined) {
    const pushed = await callGit(
      ['push', '--no-verify', '--', remote, `${commit}:${ref}`],
      PUSH_MS,
    );
    if (pushed.exit !== 0)
      return refuseDelivery(`the branch cannot be pushed: ${explainEnd(pushed)}`);
  }
  // The pull request may have been opened before an interruption, so look for it first.
  const before = await runProgram([there, ...find(wish)], ASK_MS);
  const open = before.exit === 0 ? addressFor(forge, branch, before.text) : undefined;
  if (open !== undefined) return { done: true, how: 'request', branch, commit, url: open };
  const made = await (takes === 'input'
    ? runProgram([there, ...create(wish), '-'], ASK_MS, text)
    : runProgram([there, ...create(wish), text], ASK_MS));
  const url = made.exit === 0 ? addressIn(made.text) : undefined;
  if (made.exit !== 0)
    return refuseDelivery(`the branch is pushed, but ${program} failed: ${explainEnd(made)}`);
  return { done: true, how: 'request', branch, commit, ...withoutUndefined({ url }) };
}

function refuseDelivery(why: string): DeliveryResult {
  return { done: false, why };
}

function addressIn(text: string): string | undefined {
  return /https?:\/\/\S+(?=\s|$)/.exec(text)?.[0];
}

/** Returns the error in a line, without a password that an address may contain. */
function explainEnd({ text, note, exit }: ProcessEnd): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const said =
    lines.find((line) => /^(?:fatal|error|!|remote: error)/i.test(line.trim())) ?? lines.at(-1);
  return new Secrets({}).conceal((said ?? note ?? `it ended with ${exit}`).trim()).slice(0, 300);
}
