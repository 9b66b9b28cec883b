/**
 * The tools for the history in git: who wrote a line, what a commit changed, and which commits there are.
 */
import type { ToolOutput } from '../kernel/tools/tools.ts';
import { textLines } from '../text/lines.ts';
import { joinFittingRows } from './files.ts';
import { pathBelow, ToolRefusal, whyHidden } from './refusal.ts';
import { firstLine, type Root } from './root.ts';

const COMMITS = 20;
const MOST_COMMITS = 100;
const MOST_LINES = 400;
/** The number of lines that `gitBlame` shows if the model names no last line. */
const BLAMED = 100;
/** The most paths of one commit that are shown; more would not fit on a command line or into a result. */
const MOST_PATHS = 200;

/**
 * Lists commits of the folder or of one path in it, the latest first. `count` is the most commits:
 * 20 if it is absent, never more than 100.
 * @throws ToolRefusal if the folder is in no repository
 */
export async function gitLog(
  root: Root,
  { path = '', count = COMMITS }: { path?: string | undefined; count?: number | undefined },
  signal: AbortSignal,
): Promise<ToolOutput> {
  const below = pathBelow(path);
  const most = Math.min(count, MOST_COMMITS);
  const out = await runGitCommand(
    root,
    [
      ...['log', `--max-count=${most + 1}`, '--date=short', '--format=%h %ad %an: %s'],
      ...['--', below === '' ? '.' : below],
    ],
    signal,
  );
  const commits = textLines(out);
  const about = `commits of ${below === '' ? 'the root' : below}`;
  if (commits.length === 0) return { about: `no ${about}`, text: '', from: 1 };
  return joinFittingRows(about, commits, most, 'ask for more by count');
}

/**
 * Shows a commit with its message and its changes, of all files or of those below `path`. Files
 * whose names suggest that they contain secrets are left out.
 * @throws ToolRefusal if there is no such commit
 */
export async function gitShow(
  root: Root,
  { commit, path = '' }: { commit: string; path?: string | undefined },
  signal: AbortSignal,
): Promise<ToolOutput> {
  const below = pathBelow(path);
  const hash = await resolveCommit(root, commit, signal);
  const range = ['--relative', '--no-renames', '--diff-merges=first-parent', hash, '--'];
  const plain = ['--no-color', '--no-ext-diff', '--no-textconv'];
  const named = await runGitCommand(
    root,
    ['show', ...plain, '--format=', '--name-only', '-z', ...range, below === '' ? '.' : below],
    signal,
  );
  const paths = named.split('\0').filter((path) => path !== '');
  const hidden = paths.filter((path) => whyHidden(path) !== undefined);
  const shown = paths.filter((path) => whyHidden(path) === undefined).slice(0, MOST_PATHS);
  const format = '--format=commit %H%nauthor %an%ndate %ad%n%n%B';
  const out = await runGitCommand(
    root,
    [
      ...['show', ...plain, '--date=iso-strict', format],
      ...(shown.length === 0 ? ['--no-patch', hash] : [...range, ...shown]),
    ],
    signal,
  );
  const found = joinFittingRows(
    `commit ${hash.slice(0, 10)}${below === '' ? '' : `, ${below}`}`,
    textLines(out),
    MOST_LINES,
    'name a path',
  );
  const left = paths.length - shown.length;
  if (left === 0) return found;
  const why = hidden.length > 0 ? 'some look like files of keys' : 'there are too many';
  const more = [`${left} of ${paths.length} changed files are not shown: ${why}`, found.more];
  return { ...found, more: more.filter((sentence) => sentence !== undefined).join('. ') };
}

/**
 * Shows who last changed each of the lines `from` to `to` of a file in the latest commit. Without
 * `to`, shows up to 100 lines.
 * @throws ToolRefusal if the file may not be read, or git does not know these lines of it
 */
export async function gitBlame(
  root: Root,
  { path, from = 1, to }: { path: string; from?: number | undefined; to?: number | undefined },
  signal: AbortSignal,
): Promise<ToolOutput> {
  const below = pathBelow(path);
  const lines = textLines(await root.read(path, signal)).length;
  const last = Math.min(to ?? from + BLAMED - 1, from + MOST_LINES - 1);
  if (last < from) throw new ToolRefusal(`the range ends before it begins: ${from} to ${to}`);
  // Blame the lines of the last commit, not those of the working file: a repository may name a filter program for
  // working files, and git would run it.
  const out = await runGitCommand(
    root,
    [
      'blame',
      '--no-textconv',
      '--date=short',
      `-L${from},${Math.min(last, Math.max(lines, 1))}`,
      'HEAD',
      '--',
      below,
    ],
    signal,
  );
  const found = joinFittingRows(
    `who wrote ${below}, from line ${from}`,
    textLines(out),
    MOST_LINES,
    '',
  );
  const shown = textLines(found.text).length;
  return {
    ...found,
    from,
    more: from + shown - 1 < lines ? `go on with from: ${from + shown}` : undefined,
  };
}

/** Returns the hash of a commit. @throws ToolRefusal if there is no such commit */
async function resolveCommit(root: Root, commit: string, signal: AbortSignal): Promise<string> {
  if (!/^[A-Za-z0-9][\w./~^@{}-]{0,200}$/.test(commit) || commit.includes('..'))
    throw new ToolRefusal(`"${commit.slice(0, 80)}" names no commit; git_log shows them`);
  const out = await root.git(['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], signal);
  if (out.state === 'ended' && out.code === 0) return out.out.trim();
  await refuseNoRepository(root, signal);
  throw new ToolRefusal(`there is no commit ${commit}; git_log shows them`);
}

async function runGitCommand(
  root: Root,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const output = await root.git(args, signal);
  if (output.state === 'cut') return output.out.slice(0, output.out.lastIndexOf('\n') + 1);
  if (output.code === 0) return output.out;
  await refuseNoRepository(root, signal);
  throw new ToolRefusal(`git ${args[0]}: ${firstLine(output.err)}`);
}

async function refuseNoRepository(root: Root, signal: AbortSignal): Promise<void> {
  if (!(await root.isRepository(signal)))
    throw new ToolRefusal('this folder is no git repository; list, grep and read work without one');
}
