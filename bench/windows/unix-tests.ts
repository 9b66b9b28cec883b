/**
 * Tests of features that only Unix has. They do not run on Windows; each rule has to match at least one
 * test.
 */

/** Tests of a file that test what only Unix has, and that are therefore skipped on Windows. */
export interface UnixTests {
  /** The path of the test file, from the project's folder. */
  readonly file: string;
  /** Matches the names of tests: those of their groups and their own, joined by ` > `. */
  readonly names: RegExp;
  /** Why the tests do not apply to Windows. */
  readonly why: string;
}

const SHELL =
  'its commands are written for /bin/sh; test/platform has those for cmd and PowerShell';
const SCRIPTS = 'its programs are shell scripts';
const MODES = 'it reads permission bits';
const PROC = 'its processes are named as /proc names them';
const PATHS =
  'it expects the folders or the separators of Unix; test/platform has those of Windows';

/** All tests that are skipped on Windows. */
export const UNIX_TESTS: readonly UnixTests[] = [
  {
    file: 'test/cli/agent-files.test.ts',
    names: /such as a pipe/,
    why: 'it makes a named pipe',
  },
  {
    file: 'test/store/usage.test.ts',
    names: /printed as a table/,
    why: 'it starts the program through a symbolic link',
  },
  { file: 'test/cli/run-command.test.ts', names: /^(?!API keys in a command)/, why: SHELL },
  { file: 'test/cli/clipboard.test.ts', names: /./, why: SCRIPTS },
  {
    file: 'test/cli/attention.test.ts',
    names: /by the desktop’s own tool|if the desktop’s tool fails|passes the text to the command/,
    why: SCRIPTS,
  },
  { file: 'test/cli/own-presets.test.ts', names: /^writeRole/, why: SHELL },
  { file: 'test/cli/own-presets.test.ts', names: /^savePanel.* > stores a board/, why: PATHS },
  { file: 'test/cli/text-file.test.ts', names: /^a text that is typed/, why: SHELL },
  { file: 'test/cli/drafts.test.ts', names: /next process/, why: MODES },
  { file: 'test/cli/explain.test.ts', names: /file/, why: PATHS },
  { file: 'test/cli/help.test.ts', names: /started from that file/, why: PATHS },
  { file: 'test/cli/presets.test.ts', names: /outside a repository|is a link/, why: PATHS },
  { file: 'test/plain/protocol-text.test.ts', names: /^the display of a run as text/, why: PATHS },
  {
    file: 'test/store/database.test.ts',
    names: /^Permissions|another program's database/,
    why: MODES,
  },
  {
    file: 'test/store/database.test.ts',
    names: /another user owns|through a file|how to rescue/,
    why: PATHS,
  },
  {
    file: 'test/store/owner.test.ts',
    names: /killed with -9|by machine, boot and process/,
    why: PROC,
  },
  { file: 'test/store/queue.test.ts', names: /its worker dies|five workers/, why: PROC },
  {
    file: 'test/store/wal-flush.test.ts',
    names: /if the write-ahead log cannot be flushed/,
    why: 'it renames a file that is open',
  },
];
