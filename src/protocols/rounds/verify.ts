/**
 * Makes one check. Code tests whether the cited places exist and come from both sides. If not, the
 * verifier is asked once more with a list of valid places. A verdict that still fails is recorded
 * as not applicable with the reason, and is no evidence.
 */

import type { Reply } from '../../kernel/call.ts';
import { hasContent, isSingleWord } from '../../text/words/has-content.ts';
import {
  citesResultLines,
  collectPassages,
  findUnknownCitations,
  normalizeCitation,
  passageToPiece,
} from './cited-sources.ts';
import type { ArtifactView } from './claims/rounds-view.ts';
import { type FactBody, fact } from './facts.ts';
import {
  type Check,
  type CheckAnswer,
  checkSchema,
  checkTask,
  type Lines,
  looseCheckSchema,
  placesTask,
} from './prompts/checks.ts';
import {
  createEvidenceCheck,
  createResolver,
  deduplicateRefs,
  findAnchors,
} from './records/anchors.ts';
import { DECISIONS_FILE, parseArtifactPath, verificationId } from './records/layout.ts';
import type { Role } from './records/types.ts';
import { makeAttachmentFiles } from './records/write.ts';
import type { Piece, Prompt, RoundsRun } from './rounds-run.ts';
import type { SourceView } from './sources.ts';

/**
 * The order of artifacts in prompts. Checks 1, 3 and 4 need the Critic's attack, and 1 and 4 also
 * the Action's traces.
 */
const ORDER: readonly Role[] = ['critic', 'action', 'guardian', 'observer'];

/**
 * Sorts artifacts in the fixed order in which the verifier sees them, so that prompts begin alike
 * and can be cached.
 */
export function sortByRole<T extends { readonly role: Role }>(artifacts: readonly T[]): T[] {
  return artifacts.toSorted((left, right) => ORDER.indexOf(left.role) - ORDER.indexOf(right.role));
}

/** The fewest different places that a verdict must cite. */
const LEAST_REFS = 2;

/**
 * Returns the places of an artifact on which a verdict may rest, without its title and its judgment
 * of itself.
 */
function placesIn(markdown: string): string[] {
  return [...findAnchors(markdown)].filter(createEvidenceCheck(markdown));
}

/**
 * Asks the verifier to make one of the four checks of a round, and records the verdict. If there is
 * nothing to compare, the check is recorded as not applicable and nobody is asked.
 * @param heard further blocks of the prompt, which only check 4 uses: it compares artifacts with
 * earlier decisions
 */
export async function runCheck(
  roundsRun: RoundsRun,
  round: number,
  check: Check,
  heard: readonly Piece[] = [],
): Promise<void> {
  const key = `E/${check.number}`;
  const reason = whyNothingToCheck(roundsRun, round, check);
  if (reason !== undefined) {
    await roundsRun.record(`round-${round}/${key}`, [
      fact('verification.recorded', {
        id: verificationId(round, check.name),
        round,
        check: check.name,
        result: 'NOT_APPLICABLE',
        evidence_refs: [],
        notes: reason,
      }),
    ]);
    return;
  }
  const compared = comparedIn(roundsRun, round, check);
  const prompt = promptOf(roundsRun, compared, check.number === 4 ? heard : []);
  let looked: readonly SourceView[] = [];
  let answered = '';
  const reply = await roundsRun.ask(
    key,
    roundsRun.verifier,
    round,
    { ...prompt, looks: true },
    (reply, step, known) => {
      looked = known;
      answered = step;
      return verdictOf(compared, known, reply, step, reply.status === 'failed');
    },
  );
  if (reply.status !== 'done') return;
  if (problemsIn(compared, looked, reply).length === 0) return;
  // If an agent reads files by itself, the files that it cites are added to the log only after its answer. Check
  // the answer again with these files.
  const read = [
    ...looked,
    ...roundsRun.view.sources.filter(
      (source) => source.cites !== undefined && !looked.includes(source),
    ),
  ];
  const problems = problemsIn(compared, read, reply);
  if (problems.length === 0) {
    const facts = verdictOf(compared, read, reply, answered, true);
    await roundsRun.record(`round-${round}/${key}/read`, facts);
    return;
  }
  const { prompts } = roundsRun.settings;
  const more = roundsRun.makeCorrection(
    reply.text,
    problems.join('\n'),
    placesTask(compared.refs, linesOf(roundsRun), prompts),
  );
  // Add the lines of tool results that the refused answer cites, so that the verifier sees them when it is asked again.
  // The first request may have been without them.
  const own = collectPassages([reply.text], read).map(passageToPiece);
  const pieces = [...(prompt.pieces ?? []), ...own];
  const again = { ...prompt, pieces, more };
  await roundsRun.ask(`${key}/again`, roundsRun.verifier, round, again, (reply, step) =>
    verdictOf(compared, read, reply, step, true),
  );
}

/** Returns why a check has nothing to compare, or undefined if it has. */
function whyNothingToCheck(roundsRun: RoundsRun, round: number, check: Check): string | undefined {
  const { artifacts, absent } = roundsRun.round(round);
  const missing = check.between.find(
    (role) => !artifacts.some((artifact) => artifact.role === role),
  );
  if (missing !== undefined)
    return missing === absent
      ? `stress round: the ${missing} is absent`
      : `the ${missing} handed nothing in`;
  if (check.number === 4 && decisionsOf(roundsRun).length === 0) return 'there is no decision yet';
  return artifacts.length === 0 ? 'nothing was handed in' : undefined;
}

/** The inputs of a check, and the places on which its verdict may rest. */
interface Compared {
  readonly round: number;
  readonly check: Check;
  readonly shown: readonly ArtifactView[];
  /** The places that can be listed: those of artifacts and decisions. */
  readonly refs: readonly string[];
  /** Normalizes a citation. A decision becomes the citation of its line. */
  readonly placed: (ref: string, known: readonly SourceView[]) => string;
  /** Returns whether a normalized place exists. `known` are the tool results that may be cited. */
  readonly isPlace: (ref: string, known: readonly SourceView[]) => boolean;
}

function comparedIn(roundsRun: RoundsRun, round: number, check: Check): Compared {
  const shown = sortByRole(roundsRun.round(round).artifacts).filter(
    ({ role }) => check.between.length === 0 || check.between.includes(role),
  );
  const resolve = createResolver(folderOf(roundsRun, shown));
  const decisions = decisionsOf(roundsRun);
  const cited = check.number === 4 ? decisions : [];
  return {
    round,
    check,
    shown,
    refs: [
      ...shown.flatMap(({ path, markdown }) => placesIn(markdown).map((at) => `${path}#${at}`)),
      ...cited,
    ],
    placed: (ref, known) => {
      const at = cited.indexOf(ref.trim());
      return at < 0 ? normalizeCitation(ref, known) : `${DECISIONS_FILE}#L${at + 1}`;
    },
    isPlace: (ref, known) =>
      ref.startsWith(`${DECISIONS_FILE}#L`) ||
      resolve(ref).state === 'ok' ||
      citesResultLines(ref, known),
  };
}

/** Returns the ids of all decisions in order. */
function decisionsOf({ view }: RoundsRun): string[] {
  return view.rounds.flatMap(({ decisions }) => decisions.map(({ id }) => id));
}

function promptOf(
  roundsRun: RoundsRun,
  { check, shown, refs }: Compared,
  heard: readonly Piece[],
): Prompt {
  const { view, settings } = roundsRun;
  const lines = linesOf(roundsRun);
  const looked = collectPassages(
    shown.map(({ markdown }) => markdown),
    view.sources,
  );
  return {
    kind: 'check',
    heard,
    pieces: [
      ...shown.map(({ path, markdown }) => ({ from: path, text: markdown })),
      ...looked.map(passageToPiece),
    ],
    task: checkTask(check, refs, lines, settings.prompts),
    // If texts can be cited by line, there are too many lines to list the allowed places in the schema. Code checks
    // afterwards whether the cited places exist.
    schema: lines.attachments.length === 0 && !lines.results ? checkSchema(refs) : looseCheckSchema,
    about: { turn: check.number, items: refs },
  };
}

/** Returns which texts can be cited by line. */
function linesOf({ settings, looks }: RoundsRun): Lines {
  return { attachments: settings.attachments, results: looks };
}

/** Returns why an answer is invalid; empty if it is valid. */
function problemsIn(
  { check, refs, placed, isPlace }: Compared,
  known: readonly SourceView[],
  reply: Reply,
): string[] {
  const answer = answerOf(reply);
  if (answer === undefined) return ['there is no usable verdict'];
  if (answer.result === 'NOT_APPLICABLE') return [];
  // Normalize citations as in the records, so that a place that is cited twice counts once.
  const different = deduplicateRefs(answer.evidence_refs.map((ref) => placed(ref, known)));
  const real = different.filter((ref) => isPlace(ref, known));
  const reason = reasonOf(answer);
  const titles = real.filter((ref) => isNoEvidence(ref, refs));
  const sides = check.between.filter(
    (role) => !real.some((ref) => parseArtifactPath(ref.split('#')[0] ?? '')?.role === role),
  );
  return [
    ...different
      .filter((ref) => !real.includes(ref))
      .map((ref) => findUnknownCitations(ref, known)[0]?.why ?? `${ref} does not exist`),
    ...titles.map((ref) => `${ref} shows nothing: it is a title, or a verdict on itself`),
    ...(reason !== '' && (!hasContent(reason) || isSingleWord(reason))
      ? ['its notes say nothing']
      : []),
    ...(different.length < LEAST_REFS ? ['fewer than two different places are cited'] : []),
    ...sides.map((role) => `no place of the ${role} is cited`),
  ];
}

/**
 * Returns the facts of a verdict that is valid or finally failed. Empty while it can still be
 * corrected.
 */
function verdictOf(
  compared: Compared,
  known: readonly SourceView[],
  reply: Reply,
  step: string,
  last: boolean,
): FactBody[] {
  const { round, check, placed, isPlace } = compared;
  const problems = problemsIn(compared, known, reply);
  if (problems.length > 0 && !last) return [];
  const answer = answerOf(reply);
  const id = verificationId(round, check.name);
  const common = { id, round, check: check.name, step };
  if (answer === undefined || problems.length > 0) {
    const degraded = problems.join('; ');
    return [
      fact('verification.recorded', {
        ...common,
        result: 'NOT_APPLICABLE',
        evidence_refs: [],
        notes: `The verifier's answer could not stand: ${degraded}.`,
        degraded,
      }),
      fact('refusal.recorded', {
        round,
        kind: 'verdict',
        by: 'verifier',
        id,
        why: degraded,
        text: answer === undefined ? 'no verdict' : `${answer.result}: ${answer.notes}`.trim(),
      }),
    ];
  }
  const { result, reasoning } = answer;
  return [
    fact('verification.recorded', {
      ...common,
      result,
      evidence_refs:
        result === 'NOT_APPLICABLE'
          ? []
          : deduplicateRefs(answer.evidence_refs.map((ref) => placed(ref, known))).filter((ref) =>
              isPlace(ref, known),
            ),
      notes: reasonOf(answer) || 'It gives no reason.',
      ...(reasoning.trim() === '' ? {} : { reasoning }),
    }),
  ];
}

/** Returns the sentence that a person would quote; empty if the verifier gives no reason. */
function reasonOf({ notes, reasoning }: CheckAnswer): string {
  return notes.trim() || reasoning.trim();
}

/** Returns whether a citation names a place in an artifact on which a verdict must not rest. */
function isNoEvidence(ref: string, refs: readonly string[]): boolean {
  return parseArtifactPath(ref.split('#')[0] ?? '') !== undefined && !refs.includes(ref);
}

function answerOf(reply: Reply): CheckAnswer | undefined {
  if (reply.status !== 'done') return undefined;
  const parsed = looseCheckSchema.safeParse(reply.value);
  return parsed.success ? parsed.data : undefined;
}

function folderOf(
  roundsRun: RoundsRun,
  artifacts: readonly { path: string; markdown: string }[],
): Map<string, string> {
  return new Map([
    ...artifacts.map(({ path, markdown }): [string, string] => [path, markdown]),
    ...makeAttachmentFiles(roundsRun.settings.attachments),
  ]);
}
