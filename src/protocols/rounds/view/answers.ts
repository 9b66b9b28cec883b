/**
 * How a structured answer of a deliberation reads, whole or while it is written: as the page that is
 * made of it in the end. Models write anything: what is missing, or is of another kind, is left out.
 */

import { entryOf } from '../../../kernel/entry.ts';
import type { AnswerWords } from '../../../text/answers/answer.ts';
import { entry, items, lineOf, linesOf, text, wrap } from '../../../text/answers/read.ts';
import { list, paragraphs } from '../../../text/markdown/blocks.ts';
import { signatureSchema } from '../facts.ts';
import type { RoleName } from '../fold.ts';
import { renderPartial } from '../prompts/artifacts.ts';
import { ABSENCE_WORDS, absenceShown } from './absence.ts';
import { code, FINDING_WORDS } from './wording.ts';

type Words = (answer: unknown) => string;

const ANSWERS: ReadonlyMap<string, Words> = new Map<string, Words>([
  ['rounds/artifact/action', handedIn('action')],
  ['rounds/artifact/guardian', handedIn('guardian')],
  ['rounds/artifact/observer', handedIn('observer')],
  ['rounds/artifact/critic', handedIn('critic')],
  ['rounds/exam', entranceWords],
  ['rounds/reading', readingWords],
  ['rounds/second-look', lookWords],
  ['rounds/check', checkWords],
  ['rounds/claims', claimsWords],
  ['rounds/bearings', bearingsWords],
  ['rounds/assessment', assessmentWords],
  ['rounds/drift', driftWords],
  ['rounds/prediction', predictionWords],
  ['rounds/signature', signatureWords],
  ['rounds/stance', stanceWords],
  ['rounds/stance-alone', stanceWords],
  ['rounds/options', optionsWords],
]);

/** Formats structured answers of a deliberation's calls as text. */
export const answerWords: AnswerWords = (task, value) => ANSWERS.get(task ?? '')?.(value).trimEnd();

/** An artifact with the claims that it rests on. */
function handedIn(role: RoleName): Words {
  return (answer) => paragraphs([renderPartial(role, answer).trimEnd(), claimsWords(answer)]);
}

function entranceWords(answer: unknown): string {
  const found = items(answer, 'answers').flatMap((one) => findingLine(one));
  return paragraphs([
    '**Entrance test.** Statements about a short text of the program’s own, whose answers are known: may this model decide claims?',
    // The answers are shown in one row, because there are dozens and their statements are not
    // recorded.
    found.join(' · '),
  ]);
}

function readingWords(answer: unknown): string {
  return list(
    items(answer, 'findings').flatMap((one) => {
      const quotes = linesOf(one, 'quotes').map((quote) => `“${quote}”`);
      return findingLine(one).map((said) =>
        [said, quotes.join(', '), lineOf(one, 'why')].filter((part) => part !== '').join('. '),
      );
    }),
  );
}

/** `**3** true in the text`; nothing while the word for it is not whole. */
function findingLine(one: unknown): string[] {
  const words = entryOf(FINDING_WORDS, lineOf(one, 'finding'));
  return words === undefined ? [] : [`**${lineOf(one, 'item')}** ${words}`];
}

function lookWords(answer: unknown): string {
  return list(
    items(answer, 'looks').flatMap((one) => {
      const verdict = lineOf(one, 'verdict');
      return verdict === ''
        ? []
        : [`**${lineOf(one, 'item')}** ${verdict}${wrap(': ', lineOf(one, 'why'))}`];
    }),
  );
}

function checkWords(answer: unknown): string {
  const refs = items(answer, 'evidence_refs').flatMap((ref) =>
    typeof ref === 'string' ? [code(ref)] : [],
  );
  return paragraphs([
    text(answer, 'reasoning'),
    wrap('**', text(answer, 'result'), '**'),
    text(answer, 'notes'),
    wrap('Evidence\n\n', list(refs)),
  ]);
}

function claimsWords(answer: unknown): string {
  return paragraphs(
    items(answer, 'claims').flatMap((claim, index) => [
      wrap(`**Claim ${index + 1}** `, lineOf(claim, 'text')),
      wrap('Test: ', lineOf(claim, 'testable_as')),
      wrap('If it is false: ', lineOf(claim, 'if_false')),
      wrap('Replaces ', lineOf(claim, 'replaces') || lineOf(claim, 'supersedes')),
    ]),
  );
}

function bearingsWords(answer: unknown): string {
  return list(
    items(answer, 'bearings').flatMap((one) => {
      const verdict = lineOf(one, 'verification');
      if (verdict === '') return [];
      return [
        [
          `**${verdict}**`,
          wrap(' → ', lineOf(one, 'claim')),
          wrap(', ', lineOf(one, 'makes').replaceAll('_', ' ')),
          wrap(', which ', lineOf(one, 'stance'), ' it'),
          wrap(', on the ', lineOf(one, 'bearing')),
          wrap(': ', lineOf(one, 'why')),
        ].join(''),
      ];
    }),
  );
}

function assessmentWords(answer: unknown): string {
  const decisions = items(answer, 'decisions').flatMap((one) => {
    const cites = items(one, 'cites').map((cite) => lineOf(cite, 'id'));
    const said = lineOf(one, 'text');
    return said === '' ? [] : [said + wrap(' (cites ', cites.filter(Boolean).join(', '), ')')];
  });
  return paragraphs([
    wrap('## Decisions\n\n', list(decisions)),
    wrap('## Open tensions\n\n', list(linesOf(answer, 'tensions'))),
    wrap('Impact: ', lineOf(answer, 'architecture_impact')),
  ]);
}

function driftWords(answer: unknown): string {
  return paragraphs([
    wrap('## Drift check: ', lineOf(answer, 'verdict')),
    wrap('', lineOf(answer, 'deviation_score'), ' of 5 away from the question (1 is on it).'),
    text(answer, 'notes'),
  ]);
}

function predictionWords(answer: unknown): string {
  return wrap('Predicted, before the round:\n\n', list(linesOf(answer, 'signature')));
}

function signatureWords(answer: unknown): string {
  const observed = items(answer, 'observed').flatMap((one) => {
    const prediction = lineOf(one, 'prediction');
    if (prediction === '') return [];
    const seen = wrap(': **', lineOf(one, 'happened'), '**') + wrap(', ', lineOf(one, 'where'));
    return [prediction + seen];
  });
  const decorative = entry(answer, 'decorative');
  return paragraphs([
    wrap('Predicted and seen:\n\n', list(observed)),
    typeof decorative === 'boolean' ? signatureVerdict(answer) : '',
    text(answer, 'notes'),
  ]);
}

/** Of a whole answer. */
function signatureVerdict(answer: unknown): string {
  const read = signatureSchema.safeParse(answer);
  return read.success ? ABSENCE_WORDS[absenceShown(read.data)] : '';
}

function stanceWords(answer: unknown): string {
  return paragraphs([
    text(answer, 'position'),
    wrap('**', lineOf(answer, 'option'), '**') +
      wrap(' (confidence ', lineOf(answer, 'confidence'), ')'),
    wrap('Cites ', linesOf(answer, 'cites').join(', ')),
  ]);
}

function optionsWords(answer: unknown): string {
  return list(
    items(answer, 'same').flatMap((one) => {
      const option = lineOf(one, 'option');
      return option === '' ? [] : [option + wrap(' is the same as ', lineOf(one, 'as'))];
    }),
  );
}
