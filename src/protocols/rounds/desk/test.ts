/**
 * `deliberate test`: tests a claim by running a command. Nothing runs before the person has seen
 * the whole command and approved it. The result changes the claim by the same rules as a verdict,
 * and is kept as evidence that verdicts can cite.
 */

import { resolve } from 'node:path';
import type { Invocation } from '../../../app/invocation.ts';
import { withRescue } from '../../../app/rescue.ts';
import { type Execution, runStoppable } from '../../../app/run-command.ts';
import { findRunOf } from '../../../app/run-of.ts';
import { openStore } from '../../../app/store.ts';
import { formatCommand, getStartCommand } from '../../../app/suggest.ts';
import { withTakeover } from '../../../app/taking.ts';
import { askToConfirm } from '../../../io/confirm.ts';
import { checkVariableNames, filterEnvironment } from '../../../io/environment.ts';
import { workingFolder } from '../../../io/files.ts';
import { CONCEALED, Secrets } from '../../../io/secrets.ts';
import { findStatus } from '../../../io/text-file.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { DeliberateError, UsageError } from '../../../kernel/errors.ts';
import { shortId } from '../../../kernel/short-id.ts';
import { type RunView, viewOf } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { jsonLine } from '../../../plain/json-lines.ts';
import { getSeatTitle } from '../../../plain/naming.ts';
import { runIn, shellOf, shellWord } from '../../../platform/shells.ts';
import { joinLines, toLine } from '../../../text/line.ts';
import { formatCount, formatMs } from '../../../text/numbers.ts';
import { escapeInvisible } from '../../../text/unseen.ts';
import { getNextVerificationId } from '../claims/places.ts';
import type { ClaimView, RoundsView } from '../claims/rounds-view.ts';
import { isStronger } from '../claims/settle.ts';
import { type FactBody, type FactOf, fact, ROUNDS } from '../facts.ts';
import { roundsOf } from '../fold.ts';
import {
  type ConfirmsOn,
  describeOutcome,
  explainOutcomes,
  judgeOutcome,
  listEvidenceRefs,
} from '../records/executed-test.ts';
import { evidencePath } from '../records/layout.ts';
import { convertToRecords } from '../records/of-run.ts';
import { applyVerification, collectUsedRefs, type Verdict } from '../records/transitions.ts';
import { EXECUTED_TEST } from '../records/types.ts';
import { deriveDeliberation } from '../view/display-state.ts';
import { formatStatus, formatStatusChange } from '../view/wording.ts';

/** The test that is shown to the person for approval. */
interface Proposal {
  readonly claim: ClaimView;
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly confirmsOn: ConfirmsOn;
  /** The command as it is recorded, with secrets replaced. */
  readonly kept: string;
  /** The environment variables that the person has named with `--env`. */
  readonly pass: readonly string[];
  /** The names of all variables that the command sees, sorted. */
  readonly environment: readonly string[];
}

/**
 * Runs the command `deliberate test`, which tests a claim by a command, or lists the claims that wait for a test if no
 * claim is named. Resolves to the exit code: 1 if the person does not approve the command, otherwise 0.
 */
export async function test(call: Invocation): Promise<number> {
  const { named, claimId } = targetOf(call);
  if (claimId === undefined && call.flags.command === undefined) return listWaitingClaims(call);
  if (claimId === undefined)
    throw new UsageError(
      'name the claim that the command tests',
      `Example: ${formatCommand(call, 'latest C-2-1 --command "npm test -- queue"')}`,
    );
  const { command = '', confirmsOnSuccess, refutesOnSuccess } = call.flags;
  if (command.trim() === '')
    throw new UsageError(
      'no command given',
      `Example: ${formatCommand(call, `${[...named, claimId].map((word) => shellWord(word, shellOf(call.env))).join(' ')} --command "npm test -- queue"`)}`,
    );
  if (command.includes('\0')) throw new UsageError('a command cannot hold a NUL character');
  const shell = runIn(command, call.env);
  if (typeof shell === 'string') throw new UsageError(shell);
  if (confirmsOnSuccess && refutesOnSuccess)
    throw new UsageError('success either confirms the claim or refutes it, not both');
  const cwd = resolve(workingFolder(), call.flags.cwd ?? '.');
  if (!findStatus(cwd)?.isDirectory()) throw new UsageError(`--cwd ${cwd}: no such folder`);
  const pass = checkVariableNames(call.flags.env, call.env);
  const store = openStore(call);
  try {
    const id = findRunOf({ ...call, words: named }, store, 'rounds');
    // This process owns the run during the test, so that no other process continues the run meanwhile.
    const journal = await withTakeover(call, id, (how) => store.own(id, how));
    try {
      const facts = journal.facts();
      const rounds = roundsOf(facts);
      const proposal: Proposal = {
        claim: getTestableClaim(facts, rounds, claimId),
        command,
        cwd,
        timeoutMs: call.flags.timeout,
        confirmsOn: refutesOnSuccess ? 'failure' : 'success',
        kept: new Secrets(call.env).conceal(command),
        pass,
        environment: Object.keys(filterEnvironment(call.env, pass)).sort(),
      };
      call.err.write(describeProposal(proposal, shell.by));
      const approvedBy = await askForApproval(call);
      if (approvedBy === undefined) {
        call.err.write('Nothing was run.\n');
        return 1;
      }
      const written = await withRescue(call.protocols, store, id, async () => {
        const execution = await runStoppable({
          command,
          cwd,
          timeoutMs: proposal.timeoutMs,
          env: call.env,
          pass,
        });
        return journal.note(makeTestFacts(rounds, proposal, execution, approvedBy));
      });
      reportTest(call, id, written, proposal.claim);
      return 0;
    } finally {
      journal.release();
    }
  } finally {
    store.close();
  }
}

/** Returns the run and the claim that the arguments name. Either may be missing. */
function targetOf(call: Invocation): { named: readonly string[]; claimId?: string } {
  const [first, second, ...more] = call.words;
  if (more.length > 0)
    throw new UsageError(
      'expected one run and one of its claims',
      `Example: ${formatCommand(call, 'latest C-2-1 --command "npm test -- queue"')}`,
    );
  if (first === undefined) return { named: [] };
  if (second !== undefined) return { named: [first], claimId: second };
  // If the only argument is the id of a claim, such as C-2-1, the latest run is meant. This cannot be the beginning
  // of a run's id, in which eight digits come before the first dash.
  return /^C-\d/i.test(first) ? { named: [], claimId: first } : { named: [first] };
}

/** Lists the claims that wait for a test. First come those on which valid decisions rest or for which they wait. */
function listWaitingClaims(call: Invocation): number {
  const store = openStore(call);
  try {
    const id = findRunOf(call, store, 'rounds');
    const facts = store.facts(id);
    const view = viewOf(facts);
    if (view.protocol !== 'rounds') throw noRounds(view);
    const { awaiting } = deriveDeliberation(facts, view).state;
    if (call.flags.json) {
      for (const { claim, reliedOn } of awaiting)
        call.out.write(
          jsonLine({ claim: claim.id, text: claim.text, test: claim.testable_as, reliedOn }),
        );
      return 0;
    }
    const [first] = awaiting;
    if (first === undefined) {
      call.out.write('No claims are waiting for a test.\n');
      return 0;
    }
    call.out.write(
      `${formatCount(awaiting.length, 'claim')} ${awaiting.length === 1 ? 'waits' : 'wait'} for a test:\n\n`,
    );
    for (const { claim, reliedOn } of awaiting)
      call.out.write(
        `${[
          `${claim.id}  ${getSeatTitle(claim.raised_by, view)}: ${toLine(claim.text)}`,
          `    Test: ${toLine(claim.testable_as)}`,
          ...(reliedOn.length === 0 ? [] : [`    Carries ${listCarried(reliedOn, facts)}`]),
        ].join('\n')}\n`,
      );
    if (!call.flags.quiet)
      call.err.write(
        `\n${formatCommand(call, `${shortId(id)} ${first.claim.id} --command "npm test -- queue"`)}\n`,
      );
    return 0;
  } finally {
    store.close();
  }
}

/** Lists decisions with their texts: `D-2-1 ("Begin with billing."), D-3-1 ("…")`. */
function listCarried(ids: readonly string[], facts: readonly AnyFact[]): string {
  const decisions = roundsOf(facts).rounds.flatMap((round) => round.decisions);
  return ids
    .map((id) => {
      const text = decisions.find((decision) => decision.id === id)?.text;
      return text === undefined ? id : `${id} ("${shortenLine(toLine(text))}")`;
    })
    .join(', ');
}

function noRounds({ id, protocol }: RunView): UsageError {
  return new UsageError(
    `run ${shortId(id)} is a ${protocol || 'run that never began'}: only rounds raise claims`,
  );
}

/**
 * Returns the claim with this id, if a test may decide it.
 * @throws DeliberateError if the run is not in rounds or has no such claim, if the claim is superseded, or if the run
 * stopped while it was deciding its claims
 */
export function getTestableClaim(
  facts: readonly AnyFact[],
  rounds: RoundsView,
  id: string,
): ClaimView {
  const view = viewOf(facts);
  const run = shortId(view.id);
  if (view.protocol !== 'rounds') throw noRounds(view);
  const claim = entryOf(rounds.claims, id);
  if (claim === undefined)
    throw new UsageError(
      `run ${run} has no claim "${id}"`,
      `It has ${Object.keys(rounds.claims).join(', ') || 'none yet'}.`,
    );
  if (claim.status === 'superseded')
    throw new UsageError(
      `${id} is superseded`,
      `Test the claim that took its place: ${claim.moves.at(-1)?.superseded_by ?? 'see deliberate show'}.`,
    );
  const phase = rounds.rounds.at(-1)?.phase;
  // Refuse a test if the run stopped where the claim's status may be about to change: in phase F of a round, in
  // which claims are decided, or after the last round while no synthesis is written.
  if (phase === 'F' || (phase === 'synthesis' && view.syntheses.length === 0))
    throw new DeliberateError(
      'claims-are-moving',
      `run ${run} stopped while settling its claims`,
      `Finish that first: deliberate resume ${run}`,
    );
  return claim;
}

/**
 * Returns what a person reads before approving a test: the claim, the command and its limits.
 * @param by the shell that will run the command, in words
 */
function describeProposal(proposal: Proposal, by: string): string {
  const { claim, command, cwd, timeoutMs, confirmsOn, kept, environment } = proposal;
  return [
    `Claim ${claim.id} (${formatStatus(claim.status, claim.moves.at(-1)?.basis)}): ${toLine(claim.text)}`,
    `Decided by: ${toLine(claim.testable_as)}`,
    '',
    'This command will run, exactly as shown:',
    '',
    ...escapeInvisible(command)
      .split('\n')
      .map((row) => `    ${row}`),
    '',
    `In ${escapeInvisible(cwd)}, by ${by}, for at most ${formatMs(timeoutMs)}.`,
    `Environment variables passed: ${environment.map(escapeInvisible).join(', ') || 'none'}; add more with --env NAME.`,
    'It runs with your permissions. Its output is kept in the records, which can be exported;',
    `recognized keys and passwords are replaced by ${CONCEALED}, there and in the command.`,
    ...(kept === command
      ? []
      : [`The command itself is kept with ${CONCEALED} for what looks like one.`]),
    explainOutcomes(confirmsOn),
    '',
  ].join('\n');
}

/**
 * Resolves to who approved the command: the person or the flag `--yes`; undefined if the person refused.
 * @throws UsageError if nobody can be asked
 */
async function askForApproval(call: Invocation): Promise<'person' | '--yes' | undefined> {
  if (call.flags.yes) return '--yes';
  return (await askToConfirm(
    call,
    'Run it? [y/N] ',
    'Pass --yes to approve the command beforehand.',
  ))
    ? 'person'
    : undefined;
}

/**
 * Returns the facts that record the test of a claim by a command: the evidence, the verdict, and
 * the claim's new status if the test changes it.
 * @param execution how the command ended, and its output
 * @param approvedBy whether a person or the flag `--yes` approved the command
 */
export function makeTestFacts(
  rounds: RoundsView,
  { claim, kept, cwd, timeoutMs, confirmsOn, environment }: Proposal,
  execution: Execution,
  approvedBy: 'person' | '--yes',
): FactBody[] {
  const last = rounds.rounds.at(-1);
  const round = last?.round ?? claim.round;
  const { evidence = [] } = last ?? {};
  const id = `E-${round}-${evidence.length + 1}`;
  const path = evidencePath(id);
  const verdict = {
    id: getNextVerificationId(rounds, round),
    round,
    check: EXECUTED_TEST,
    result: judgeOutcome(execution, confirmsOn),
    evidence_refs: listEvidenceRefs(path),
    notes: `${id}, a test of ${claim.id}: \`${shortenLine(kept)}\` ${describeOutcome(execution, timeoutMs)} after ${formatMs(execution.durationMs)}. ${explainOutcomes(confirmsOn)}`,
  } as const;
  const why = `the test ${id} ${describeOutcome(execution, timeoutMs)}`;
  return [
    fact('evidence.recorded', {
      ...execution,
      id,
      round,
      claim: claim.id,
      verification: verdict.id,
      command: kept,
      cwd,
      environment: [...environment],
      timeoutMs,
      confirmsOn,
      approvedBy,
      path,
    }),
    fact('verification.recorded', { ...verdict, evidence_refs: [...verdict.evidence_refs] }),
    ...changesOf(rounds, claim, verdict).map((change) =>
      fact('claim.moved', {
        claim: claim.id,
        round,
        verification: verdict.id,
        ...change,
        stance: 'upholds',
        bearing: 'whole',
        why,
      }),
    ),
  ];
}

type Tested = Omit<Verdict, 'bearings'>;
type Changed = Pick<FactOf<'claim.moved'>, 'from' | 'to'> &
  Partial<Pick<FactOf<'claim.moved'>, 'basis' | 'refs'>>;

/** Returns how a test changes the claim's status, by the rules of the claim's run. Empty if the status stays. */
function changesOf(rounds: RoundsView, claim: ClaimView, verdict: Tested): Changed[] {
  const { status: from } = claim;
  // If a claim has no `decided_by`, its run has edition 1 of the rules. A test then changes the claim by edition 1.
  if (claim.decided_by === undefined) {
    const records = convertToRecords(rounds);
    const { verification } = applyVerification(
      records.claims,
      { ...verdict, bearings: [{ claim_id: claim.id, stance: 'upholds', bearing: 'whole' }] },
      collectUsedRefs(records.verifications),
    );
    return (verification.claim_status_changes ?? []).map((change) => ({
      from: change.from,
      to: change.to,
    }));
  }
  const { result, evidence_refs } = verdict;
  if (result === 'UNCLEAR' || from === 'superseded' || !isStronger('executed', claim)) return [];
  const to = result === 'ROBUST' ? 'tested_confirmed' : 'tested_refuted';
  return [{ from, to, basis: 'executed', refs: [...evidence_refs] }];
}

/** Returns a text as one line of at most 120 characters. */
function shortenLine(command: string): string {
  const text = joinLines(command);
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}

function reportTest(
  call: Invocation,
  run: string,
  written: readonly AnyFact[],
  { decided_by }: ClaimView,
): void {
  if (call.flags.json) {
    for (const fact of written) call.out.write(jsonLine(fact));
    return;
  }
  for (const fact of written.filter(ROUNDS.owns)) {
    if (fact.type === 'evidence.recorded') {
      call.out.write(
        `${fact.id}: it ${describeOutcome(fact, fact.timeoutMs)} after ${formatMs(fact.durationMs)}, ${fact.bytes} bytes of output, SHA-256 ${fact.sha256}\n`,
      );
    } else if (fact.type === 'verification.recorded')
      call.out.write(`${fact.id}: ${fact.result} (${fact.evidence_refs.join(', ')})\n`);
    else if (fact.type === 'claim.moved')
      call.out.write(`${fact.claim}: ${formatStatusChange(fact)}\n`);
  }
  if (!written.some(({ type }) => type === 'claim.moved'))
    call.out.write(
      decided_by !== undefined &&
        written
          .filter(ROUNDS.is('verification.recorded'))
          .some(({ result }) => result !== 'UNCLEAR')
        ? 'The claim is unchanged: no test overrides another.\n'
        : 'The claim is unchanged.\n',
    );
  if (!call.flags.quiet)
    call.err.write(
      `${getStartCommand(call.env)} show ${shortId(run)} · ${getStartCommand(call.env)} export ${shortId(run)} --format records\n`,
    );
}
