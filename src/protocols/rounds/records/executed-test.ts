/**
 * A test of a claim by a command: what its outcome means for the claim, and the page that verdicts
 * cite. Which outcome confirms the claim is fixed before the command runs; code decides the rest.
 */

import { toLine } from '../../../text/line.ts';
import { formatCount } from '../../../text/numbers.ts';
import { sanitiseText } from '../../../text/sanitise.ts';
import { escapeInvisible } from '../../../text/unseen.ts';
import type { Result } from './types.ts';

/** How a process ended. */
interface TestOutcome {
  /** The exit code; null if a signal ended the process. */
  readonly exit: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
}

/** Whether success (exit code 0) or failure of the command confirms the claim. */
export type ConfirmsOn = 'success' | 'failure';

/** Exit codes of shells for commands that cannot be run or do not exist. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);

/**
 * Returns the verdict of a test on its claim: ROBUST if the outcome confirms the claim, BROKEN if it
 * refutes it, UNCLEAR if the command timed out, was killed or could not start.
 */
export function judgeOutcome({ exit, timedOut }: TestOutcome, confirmsOn: ConfirmsOn): Result {
  if (timedOut || exit === null || NOT_RUN.has(exit)) return 'UNCLEAR';
  return (exit === 0) === (confirmsOn === 'success') ? 'ROBUST' : 'BROKEN';
}

/** Describes how a command ended: `ended with exit 1`, `was ended by SIGKILL`, `was not found (exit 127)`. */
export function describeOutcome(
  { exit, signal, timedOut }: TestOutcome,
  timeoutMs: number,
): string {
  if (timedOut) return `was not over after ${formatSeconds(timeoutMs)} and was killed`;
  if (exit === null) return `was ended by ${signal ?? 'a signal'}`;
  if (exit === 127) return 'was not found (exit 127)';
  if (exit === 126) return 'could not be run (exit 126)';
  return `ended with exit ${exit}`;
}

/** Explains what each outcome will mean for the claim, for the person who approves the test. */
export function explainOutcomes(confirmsOn: ConfirmsOn): string {
  const [zero, other] =
    confirmsOn === 'success' ? ['confirms', 'refutes'] : ['refutes', 'confirms'];
  return `Exit 0 ${zero} the claim; any other exit ${other} it. A time-out, a signal or a command that cannot run decides nothing.`;
}

/** A test of a claim by a command, for the page that records it. */
export interface ExecutedTest extends TestOutcome {
  readonly id: string;
  /** The id of the claim. */
  readonly claim: string;
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly confirmsOn: ConfirmsOn;
  /** How long the command ran, in milliseconds. */
  readonly durationMs: number;
  /** The SHA-256 of the whole output. */
  readonly sha256: string;
  /** The size of the whole output, in bytes. */
  readonly bytes: number;
  /** The output, which may be cut; see `cutBytes`. */
  readonly output: string;
  /** How many bytes of the output are left out of `output`. */
  readonly cutBytes: number;
  /** How many secrets in the output were replaced by `[key]`. Absent in older records, in which none were. */
  readonly concealed?: number | undefined;
  /** The names of the environment variables that the command was given, if they are known. */
  readonly environment?: readonly string[] | undefined;
  /** The shell that ran the command. Absent for /bin/sh. */
  readonly shell?: string | undefined;
  /** Who approved the command: a person, or the flag `--yes`. */
  readonly approvedBy: 'person' | '--yes';
  /** The path of the page in the folder of records. */
  readonly path: string;
}

/** Returns the citations of a test's page: its command, its result and its output. */
export function listEvidenceRefs(path: string): string[] {
  return ['command', 'result', 'output'].map((anchor) => `${path}#${anchor}`);
}

/**
 * Formats a test as a Markdown page. The command's output is in a code block that the output
 * cannot close.
 */
export function formatEvidencePage(test: ExecutedTest): string {
  const { output, bytes, cutBytes, concealed = 0, environment, shell } = test;
  const result = judgeOutcome(test, test.confirmsOn);
  return `${[
    `# ${test.id}: a test of ${test.claim}`,
    '## Command',
    fenceText(escapeInvisible(test.command)),
    `Run in ${toLine(test.cwd)}${shell === undefined ? '' : ` by ${toLine(shell)}`}, for at most ${formatSeconds(test.timeoutMs)}. ${
      test.approvedBy === 'person' ? 'A person approved it.' : 'It was approved with --yes.'
    }${environment === undefined ? '' : ` Of the environment it saw ${formatEnvironment(environment)}.`} ${explainOutcomes(test.confirmsOn)}`,
    '## Result',
    `${result}: it ${describeOutcome(test, test.timeoutMs)}. It took ${formatSeconds(test.durationMs)}.`,
    '## Output',
    `${bytes} bytes, SHA-256 ${test.sha256}.${cutBytes > 0 ? ` ${cutBytes} bytes of them are left out here.` : ''}${
      concealed > 0
        ? ` [key] stands in ${formatCount(concealed, 'place')} where a secret stood; the hash is of what was written.`
        : ''
    }`,
    output === '' ? 'It wrote nothing.' : fenceText(sanitiseText(output)),
  ].join('\n\n')}\n`;
}

/** Lists variables for a sentence. A name comes from a person, so it is reduced to one line. */
function formatEnvironment(environment: readonly string[]): string {
  return environment.length === 0 ? 'nothing' : environment.map(toLine).join(', ');
}

function fenceText(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function formatSeconds(ms: number): string {
  return ms < 10_000 ? `${Number((ms / 1000).toFixed(2))} s` : `${Math.round(ms / 1000)} s`;
}
