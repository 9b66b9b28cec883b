/** Warnings about unusual entries, and about data that folders of other programs lack. */
import { formatCount } from '../../../../text/numbers.ts';
import { deduplicateRefs } from '../anchors.ts';
import { comparesRole } from '../checks.ts';
import { LEADS_FILE, parseArtifactPath, RUN_FILE, VERIFICATIONS_FILE } from '../layout.ts';
import { INFLATED } from '../thresholds.ts';
import { isDecidedStatus } from '../types.ts';
import {
  type Context,
  type Guarded,
  makeClaimReporter,
  makeDecisionReporter,
  makeFileReporter,
  makeReporter,
  makeVerificationReporter,
  type Warnings,
} from './context.ts';

/**
 * Warns of files with a byte order mark or CRLF line ends, of missing data about leads and the plan, of rounds with too
 * many claims, of missing artifacts, of citations that name a file but no place in it, and of roles that took part in
 * a round without them.
 */
export function* collectWarnings(context: Context): Warnings {
  yield* checkEncodings(context);
  yield* warnOfUnrecorded(context);
  yield* claimWarnings(context);
  yield* checkMissingAnchors(context);
  yield* decisionWarnings(context);
  yield* stressWarnings(context);
}

/**
 * Matches the files from which records are read. The original method's scripts fail on some that
 * this program accepts.
 */
const READ_FROM = /^(?:state\/|artifacts\/|rounds\/|run\.json$)/;

function* checkEncodings({ folder }: Context): Warnings {
  for (const [path, text] of folder) {
    if (!READ_FROM.test(path)) continue;
    if (text.startsWith('\uFEFF'))
      yield makeReporter(path, 1)(
        'byte-order-mark',
        'it begins with a byte order mark; save it without',
      );
    const crlf = text.indexOf('\r\n');
    if (crlf >= 0) {
      const line = text.slice(0, crlf).split(/\r|\n/).length;
      yield makeReporter(path, line)('crlf', 'its lines end in CRLF; save it with LF');
    }
  }
}

/**
 * If any claim is decided, reports in one problem how many verifications do not list the statuses that they changed.
 * Without these lists, nobody can check what decided a claim.
 */
export function* checkUnrecordedChanges({ records }: Context): Guarded {
  const { claims, verifications } = records;
  const silent = verifications.filter(
    (verification) => verification.claim_status_changes === undefined,
  ).length;
  if (silent > 0 && claims.some(({ status }) => isDecidedStatus(status)))
    yield makeFileReporter(VERIFICATIONS_FILE)(
      'no-status-changes',
      `${silent} of ${formatCount(verifications.length, 'verification')} record no claim_status_changes: where claims moved from is not checked there`,
    );
}

/**
 * Warns of data that the folder lacks, and names the rules and signals that are then not checked.
 */
function* warnOfUnrecorded({ records }: Context): Warnings {
  const { verifications, leads, budget } = records;
  if (leads.length === 0 && verifications.length > 0)
    yield makeFileReporter(LEADS_FILE)(
      'no-lead-history',
      'who led and who was absent is not known: signals 3 and 4 cannot be read',
    );
  if (budget === undefined)
    yield makeFileReporter(RUN_FILE)(
      'no-budget',
      'how many rounds were planned is not known: an overrun cannot be seen',
    );
}

function* claimWarnings(context: Context): Warnings {
  const raised = new Map<number, number>();
  for (const claim of context.records.claims) {
    const say = makeClaimReporter(context, claim);
    const number = (raised.get(claim.round) ?? 0) + 1;
    raised.set(claim.round, number);
    if (number === INFLATED + 1)
      yield say('claim-inflation', `round ${claim.round} raises more than ${INFLATED} claims`);
    const ref = claim.raised_at_artifact;
    if (ref !== undefined && context.resolve(ref).state !== 'ok')
      yield say('missing-artifact', `${ref} does not exist`);
  }
}

function* checkMissingAnchors(context: Context): Warnings {
  for (const verification of context.records.verifications) {
    if (verification.result === 'NOT_APPLICABLE') continue;
    for (const ref of deduplicateRefs(verification.evidence_refs))
      if (!ref.includes('#'))
        yield makeVerificationReporter(context, verification)(
          'ref-without-anchor',
          `${ref} names no place in the file`,
        );
  }
}

function* decisionWarnings(context: Context): Warnings {
  for (const decision of context.records.decisions)
    for (const ref of decision.round_artifact_refs)
      if (context.resolve(ref).state !== 'ok')
        yield makeDecisionReporter(context, decision)('missing-artifact', `${ref} does not exist`);
}

/** Warns of roles that took part in a round although they were to be absent (failure mode 7). */
function* stressWarnings(context: Context): Warnings {
  const { leads, artifacts = [], verifications } = context.records;
  const absent = new Map(
    leads.flatMap((lead) =>
      lead.is_stress && lead.absent_agent !== null
        ? [[lead.round, lead.absent_agent] as const]
        : [],
    ),
  );
  for (const path of artifacts) {
    const artifact = parseArtifactPath(path);
    if (artifact !== undefined && absent.get(artifact.round) === artifact.role)
      yield makeFileReporter(path)(
        'absent-role-artifact',
        `round ${artifact.round} was to be held without the ${artifact.role}`,
      );
  }
  for (const verification of verifications) {
    const role = absent.get(verification.round);
    if (
      role === undefined ||
      verification.result === 'NOT_APPLICABLE' ||
      !comparesRole(verification.check, role)
    )
      continue;
    yield makeVerificationReporter(context, verification)(
      'absent-role-verdict',
      `${verification.check} is ${verification.result} though the ${role} was absent`,
    );
  }
}
