/**
 * The programs that open pull requests: `gh` for GitHub, `glab` for GitLab, `tea` for Gitea and Forgejo.
 * The forge follows from the address to which the branch is pushed.
 */
import type { Forge } from '../kernel/tools/workshop.ts';
import { type Shell, shellWord } from '../platform/shells.ts';

interface Wish {
  readonly branch: string;
  /** The remote branch into which it is to be merged. */
  readonly onto: string;
  readonly title: string;
  /** The person's name for the remote. */
  readonly name: string;
}

interface ForgeProgram {
  readonly program: string;
  readonly site: string;
  /** Matches hosts of this forge. */
  readonly hosts: RegExp;
  /** The variables by which it finds the person's sign-in; none contains a key. */
  readonly env: readonly string[];
  /** Variables that keep it from asking questions. */
  readonly set: Readonly<Record<string, string>>;
  /** Returns the arguments that open the request; the text is its input, or its last argument. */
  readonly create: (wish: Wish) => readonly string[];
  readonly takes: 'input' | 'argument';
  /** Returns the arguments that print the requests of the branch; `addressFor` finds the open one in them. */
  readonly find: (wish: Wish) => readonly string[];
}

/**
 * The hosting services on which pull requests can be opened: the program that opens one, and how
 * the service's hosts are recognised.
 */
export const FORGES: Readonly<Record<Forge, ForgeProgram>> = {
  github: {
    program: 'gh',
    site: 'https://cli.github.com',
    hosts: /(?:^|\.)github(?:\.|$)/,
    env: ['GH_CONFIG_DIR', 'GH_HOST'],
    set: { GH_PROMPT_DISABLED: '1' },
    create: ({ branch, onto, title }) => [
      ...['pr', 'create', '--head', branch, '--base', onto, '--title', title, '--body-file'],
    ],
    takes: 'input',
    find: ({ branch }) => [
      ...['pr', 'list', '--head', branch, '--state', 'open', '--json', 'url', '--jq', '.[].url'],
    ],
  },
  gitlab: {
    program: 'glab',
    site: 'https://gitlab.com/gitlab-org/cli',
    hosts: /(?:^|\.)gitlab(?:\.|$)/,
    env: ['GLAB_CONFIG_DIR', 'GITLAB_HOST'],
    set: { NO_PROMPT: '1' },
    create: ({ branch, onto, title }) => [
      ...['mr', 'create', '--source-branch', branch, '--target-branch', onto],
      ...['--title', title, '--yes', '--description'],
    ],
    takes: 'argument',
    find: ({ branch }) => ['mr', 'view', branch],
  },
  gitea: {
    program: 'tea',
    site: 'https://gitea.com/gitea/tea',
    hosts: /(?:^|\.)(?:gitea|forgejo|codeberg)(?:\.|$)/,
    env: [],
    set: {},
    create: ({ branch, onto, title, name }) => [
      ...['pulls', 'create', '--remote', name, '--head', branch, '--base', onto],
      ...['--title', title, '--description'],
    ],
    takes: 'argument',
    find: ({ name }) => [
      ...['pulls', 'list', '--remote', name, '--state', 'open', '--fields', 'head,url'],
      ...['--output', 'tsv'],
    ],
  },
};

/** Returns the hosting service of a remote, judged by its host; undefined if unknown. */
export function forgeOf(remote: string): Forge | undefined {
  const host = hostOf(remote);
  if (host === undefined) return undefined;
  return (['github', 'gitlab', 'gitea'] as const).find((forge) => FORGES[forge].hosts.test(host));
}

/**
 * Returns the host of an address such as `https://host/…`, `ssh://git@host:22/…` or
 * `git@host:owner/name`; undefined for a path, and for a host without a dot in the last form.
 */
export function hostOf(remote: string): string | undefined {
  const url = /^[a-z][a-z+.-]*:\/\/(?:[^@/]*@)?([^:/?#]+)/i.exec(remote)?.[1];
  const short = /^(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)+):(?!\/\/)/.exec(remote)?.[1];
  return (url ?? short)?.toLowerCase();
}

/**
 * Returns the command that a person can type into a shell to push the branch and open the pull
 * request. `text` is the path of the file with the pull request's text.
 */
export function commandFor(forge: Forge, wish: Wish, text: string, shell: Shell): string {
  const { program, create, takes } = FORGES[forge];
  const quoteWord = (word: string): string => shellWord(word, shell);
  const file = quoteWord(text);
  const whole = shell === 'posix' ? `"$(cat ${file})"` : `(Get-Content -Raw ${file})`;
  const push = ['git', 'push', wish.name, wish.branch].map(quoteWord).join(' ');
  // Some programs take the text of the pull request as an argument. The shell cmd cannot insert the content of a
  // file into a command, so the text is empty there.
  const body = takes === 'input' ? file : shell === 'cmd' ? '""' : whole;
  const request = `${[program, ...create(wish)].map(quoteWord).join(' ')} ${body}`;
  // PowerShell 5 does not know `&&`.
  return shell === 'powershell' ? `${push}; if ($?) { ${request} }` : `${push} && ${request}`;
}

/**
 * Returns the address of an open pull request for the branch in the output of the service's program; undefined
 * if there is none.
 */
export function addressFor(forge: Forge, branch: string, text: string): string | undefined {
  // `glab mr view` also shows merge requests that are closed or merged, with their state.
  if (forge === 'gitlab' && /^state:\s*(?:closed|merged)/m.test(text)) return undefined;
  const isMeant = (row: string): boolean =>
    forge === 'gitea' ? isRowOf(row, branch) : forge === 'github' || /^url:/.test(row);
  const rows = text.split('\n').filter(isMeant);
  return rows.map((row) => /https?:\/\/[^\s"]+/.exec(row)?.[0]).find((url) => url !== undefined);
}

function isRowOf(row: string, branch: string): boolean {
  const [head = ''] = row.split('\t').map((cell) => cell.replace(/^"|"$/g, '').trim());
  return head === branch || head.endsWith(`:${branch}`);
}
