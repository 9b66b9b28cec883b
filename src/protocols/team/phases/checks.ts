/** Runs the checks that a person has approved, and formats their results. */
import type { Check, CheckRun, Provision } from '../../../kernel/tools/workshop.ts';
import { toLine } from '../../../text/line.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { type CheckKind, type FactOf, fact } from '../facts.ts';
import type { TeamRun } from '../team-run.ts';
import { requireSandbox } from './sandboxed.ts';

/** What a check runs on, and for which task. */
interface Target {
  readonly kind: CheckKind;
  readonly tree: string;
  /** The commit whose files the tree has; undefined if the tree is not committed. */
  readonly commit?: string | undefined;
  readonly over?: { readonly from: string; readonly paths: readonly string[] } | undefined;
  readonly task?: string | undefined;
  readonly attempt?: number | undefined;
  readonly workstream?: string | undefined;
  /** An earlier run on the same tree. If the two end differently, the check is recorded as flaky. */
  readonly before?: CheckRun | undefined;
}

/**
 * Runs a check (a command that tests the work) once and records the result under the step `key`.
 * @returns the run, with its exit code, its output and the counts of its tests
 */
export function runCheck(
  team: TeamRun,
  key: string,
  provision: Provision,
  check: Check,
  target: Target,
): Promise<CheckRun> {
  const { tree, over, before, commit, ...of } = target;
  return team.act(key, { check, target, provision }, async (signal) => {
    await requireSandbox(team, signal);
    const ran = await team.workshop.check(
      { tree, check, provision, ...withoutUndefined({ over }) },
      signal,
    );
    // Record no result if the run was stopped while the check ran: such a result says nothing about the work. The
    // check then runs again when the run is resumed.
    if (ran.ended === 'stopped') signal.throwIfAborted();
    const { id, argv } = check;
    const isFlaky = before !== undefined && !isSameEnd(before, ran);
    return {
      value: ran,
      facts: [
        fact('check.ran', {
          ...definedOf(of),
          kind: of.kind,
          check: id,
          argv: [...argv],
          on: commit ?? tree,
          exit: ran.exit,
          ...withoutUndefined({ ended: ran.ended }),
          ...(ran.counts === undefined
            ? {}
            : { counts: structuredClone(ran.counts) as FactOf<'check.ran'>['counts'] }),
          ...(isFlaky ? { flaky: true as const } : {}),
          ms: ran.ms,
          sandbox: ran.sandbox,
          output: ran.output,
          bytes: ran.bytes,
        }),
      ],
    };
  });
}

/**
 * Runs a check, and runs it again if it fails. Resolves to the last run. A check that fails first and
 * passes the second time is recorded as flaky, and counts as passed.
 */
export async function runTwiceIfRed(...given: Parameters<typeof runCheck>): Promise<CheckRun> {
  const [team, key, provision, check, target] = given;
  const first = await runCheck(team, key, provision, check, target);
  if (first.exit === 0) return first;
  return runCheck(team, `${key}-again`, provision, check, { ...target, before: first });
}

function definedOf({ task, attempt, workstream }: Pick<Target, 'task' | 'attempt' | 'workstream'>) {
  return withoutUndefined({ task, attempt, workstream });
}

function isSameEnd(one: CheckRun, other: CheckRun): boolean {
  return one.exit === other.exit && one.ended === other.ended;
}

/** Formats the result of a check as one line, for people and prompts. */
export function tellCheck({
  check,
  exit,
  ended,
  counts,
}: Pick<FactOf<'check.ran'>, 'check' | 'exit' | 'ended' | 'counts'>): string {
  const end = exit === null ? `ended (${ended ?? 'signal'})` : `exit ${exit}`;
  const tests =
    counts === undefined
      ? ''
      : `, ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
  return toLine(`${check}: ${end}${tests}`);
}

/**
 * The results of checks on a commit, for prompts. `red` holds the output of the checks that are not green.
 */
interface ToldChecks {
  readonly rows: readonly string[];
  readonly red: readonly { readonly check: string; readonly output: string }[];
}

/**
 * Returns the results of checks for prompts: all green checks in one line, and each red check in a line
 * with its output. Up to version 3 of the rules (`edition`), each check has a line of its own and there is
 * no output.
 */
export function tellChecks(edition: number, ran: ReadonlyMap<string, CheckRun>): ToldChecks {
  const all = [...ran];
  if (edition < 4)
    return { rows: all.map(([check, run]) => tellCheck({ check, ...run })), red: [] };
  const green = all.filter(([, { exit }]) => exit === 0);
  const red = all.filter(([, { exit }]) => exit !== 0);
  const told = green.map(([check, { counts }]) =>
    counts === undefined
      ? check
      : `${check} (${counts.passed} passed${counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`})`,
  );
  return {
    rows: [
      ...(green.length === 0 ? [] : [toLine(`Green: ${told.join(', ')}`)]),
      ...red.map(([check, run]) => `RED: ${tellCheck({ check, ...run })}`),
    ],
    red: red.map(([check, { output }]) => ({ check, output: endOf(output) })),
  };
}

/** The most characters of a command's output that a prompt contains; only the end is kept. */
const MOST_OUTPUT = 4_000;

/** Returns the end of a command's output, as much of it as a prompt has room for. */
export function endOf(output: string): string {
  return output.length <= MOST_OUTPUT ? output : `…${output.slice(-MOST_OUTPUT)}`;
}
