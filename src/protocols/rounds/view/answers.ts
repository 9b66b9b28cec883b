/**
 * Formats a deliberation's structured answers as Markdown, complete or while they are written, in the form
 * of the page that each becomes. The templates are explained in `text/answers/templates.ts`.
 */

import { entryOf } from '../../../kernel/entry.ts';
import { lineOf, linesOf, readItems } from '../../../text/answers/read.ts';
import { answerWriter, type Block } from '../../../text/answers/templates.ts';
import { list } from '../../../text/markdown/blocks.ts';
import { absenceReportSchema } from '../facts.ts';
import { renderPartial } from '../prompts/artifacts.ts';
import type { Role } from '../records/types.ts';
import { ABSENCE_WORDS, deriveAbsence } from './absence.ts';
import { FINDING_WORDS, formatInlineCode } from './wording.ts';

const { below, each, headed, listed, onceGiven, rowsOf, write, ...writer } = answerWriter();

const CLAIMS = each(
  'claims',
  '**Claim {#}** {text}',
  'Test: {testable_as}',
  'If it is false: {if_false}',
  (claim) =>
    write(claim, [lineOf(claim, 'replaces') ? 'Replaces {replaces}' : 'Replaces {supersedes}']),
);

/** Formats an artifact with the claims that it rests on. */
function handedIn(role: Role): Block {
  return (answer) => write(answer, [(value) => renderPartial(role, value).trimEnd(), CLAIMS]);
}

/** Formats a finding; empty while its word is incomplete. */
const formatFinding: Block = (item) => entryOf(FINDING_WORDS, lineOf(item, 'finding')) ?? '';

/** Formats the verdict on predictions of a complete answer. */
const signatureVerdict: Block = (answer) => {
  const read = absenceReportSchema.safeParse(answer);
  return read.success ? ABSENCE_WORDS[deriveAbsence(read.data)] : '';
};

const STANCE = ['{position*}', '[**{option}**][ (confidence {confidence})]', 'Cites {cites,}'];

/**
 * Formats a model's structured answer by the name of its task, such as `rounds/claims`. Returns undefined for tasks
 * with answers in plain text, such as `rounds/proposal`, and for tasks of other protocols.
 */
export const answerWords = writer.answerWords({
  'rounds/artifact/action': handedIn('action'),
  'rounds/artifact/guardian': handedIn('guardian'),
  'rounds/artifact/observer': handedIn('observer'),
  'rounds/artifact/critic': handedIn('critic'),
  'rounds/exam': [
    '**Entrance test.** Statements about a short text of the program’s own, whose answers are known: may this model decide claims?',
    // Show all answers of a reading test in one row: there are dozens of them, and the log does not contain the
    // statements that they are about.
    (answer) =>
      rowsOf(answer, 'answers', '**{item?}** {finding}', { finding: formatFinding }).join(' · '),
  ],
  'rounds/reading': listed('findings', '**{item?}** {finding}[. {quotes}][. {why}]', {
    finding: formatFinding,
    quotes: (item) =>
      linesOf(item, 'quotes')
        .map((quote) => `“${quote}”`)
        .join(', '),
  }),
  'rounds/second-look': listed('looks', '**{item?}** {verdict}[: {why}]'),
  'rounds/check': [
    '{reasoning*}',
    '**{result*}**',
    '{notes*}',
    below('Evidence', (answer) =>
      list(
        readItems(answer, 'evidence_refs').flatMap((ref) =>
          typeof ref === 'string' ? formatInlineCode(ref) : [],
        ),
      ),
    ),
  ],
  'rounds/claims': CLAIMS,
  'rounds/bearings': listed(
    'bearings',
    '**{verification}**[ → {claim}][, {makes}][, which {stance} it][, on the {bearing}][: {why}]',
    { makes: (bearing) => lineOf(bearing, 'makes').replaceAll('_', ' ') },
  ),
  'rounds/assessment': [
    headed('Decisions', 'decisions', '{text}[ (cites {cited})]', {
      cited: (decision) => rowsOf(decision, 'cites', '{id}').join(', '),
    }),
    headed('Open tensions', 'tensions'),
    'Impact: {architecture_impact}',
  ],
  'rounds/drift': [
    '## Drift check: {verdict}',
    '{deviation_score} of 5 away from the question (1 is on it).',
    '{notes*}',
  ],
  'rounds/prediction': below('Predicted, before the round:', listed('signature')),
  'rounds/signature': [
    below('Predicted and seen:', listed('observed', '{prediction}[: **{happened}**][, {where}]')),
    onceGiven('decorative', signatureVerdict),
    '{notes*}',
  ],
  'rounds/stance': STANCE,
  'rounds/stance-alone': STANCE,
  'rounds/options': listed('same', '{option}[ is the same as {as}]'),
});
