/**
 * Formats a plan's structured answers as Markdown, complete or while they are written. The templates are
 * explained in `text/answers/templates.ts`.
 */
import { lineOf, readFlag, wrapUnlessEmpty } from '../../../text/answers/read.ts';
import { answerWriter, type Block } from '../../../text/answers/templates.ts';
import { joinParagraphs } from '../../../text/markdown/blocks.ts';

const {
  below,
  bullets,
  counted,
  each,
  fill,
  headed,
  listed,
  onceGiven,
  rowsOf,
  spoken,
  write,
  ...writer
} = answerWriter();

const CITED = '{text}[ {[}{from,}{]}]';
const CONFLICT =
  '**{question}**[ ({kind})][ Between {statements,}.][ It rests on {given,}.][ {why}]';
const CONTRADICTION =
  '**{one?}** “{quotationOfOne?}” and **{other?}** “{quotationOfOther?}”[: {why}]';

/** Formats a statement that code has not numbered yet. */
const formatStatement: Block = (statement) => {
  const [title, text] = [lineOf(statement, 'title'), fill('{text*}', statement)];
  if (title === '' && text === '') return '';
  const isMust = readFlag(statement, 'must') === true && lineOf(statement, 'kind') === 'constraint';
  const marks = fill(isMust ? '{kind}, must' : '{kind}', statement);
  const name = title === '' ? marks : `${title}${wrapUnlessEmpty(' (', marks, ')')}`;
  return joinParagraphs([
    wrapUnlessEmpty('**', name, '**'),
    text,
    fill('Because: {because*}', statement),
    fill('A way out of {conflict}.', statement),
  ]);
};

/** Formats a control as its writer handed it in. */
const formatControl: Block = (control) =>
  fill('{text}', control) === ''
    ? ''
    : write(control, ['**Against {of?}[, {title}]**', '{text*}', 'Because: {because*}']);

/**
 * Formats the controls in an answer. Before edition 5 of the rules, the answer itself is a single control.
 */
const formatControls: Block = (answer) => {
  const written = joinParagraphs([each('controls', formatControl)(answer), formatControl(answer)]);
  const note =
    'Written to be planted: none of the seats said it. The Conflicts tab has the one that was planted.';
  return written === '' ? '' : joinParagraphs([`_${note}_`, written]);
};

/** Says that a control may be among the rows of a list, if the list has rows. */
function controlNote(name: string, template: string, more = ''): Block {
  const note = 'One statement may be a control that the program planted among them';
  return (answer) => (rowsOf(answer, name, template).length === 0 ? '' : `_${note}${more}._`);
}

/** Writes a list of verdicts on numbered items; an item without its verdict is left out. */
function formatVerdicts(list: string, field: string, yes: string, no: string): Block {
  return listed(list, '**{number?}** {verdict}[: {why}]', {
    verdict: spoken(field, { true: yes, false: no }),
  });
}

/** Formats what a seat says to the options of a conflict. */
const formatChoice: Block = (answer) => {
  const says = lineOf(answer, 'says');
  if (says === '' || says === 'compatible') return says && 'they go together';
  if (says === 'misread') return 'misread';
  return fill('accepts {accepted}[, prefers {prefers}]', answer, {
    accepted: () => fill('{accepts,}', answer) || 'none of them',
  });
};

/** Formats an answer to a question. Before edition 3 of the rules, `answered` is true or false. */
const lookUp: Block = (answer) => {
  const [isWhole, part] = [readFlag(answer, 'answered'), lineOf(answer, 'answered')];
  if (isWhole === undefined && part === '') return '';
  if (isWhole === false || part === 'not') return 'Not answered by these documents.';
  const answered = part === 'partly' ? 'Answered in part' : 'Answered';
  return write(answer, [`${answered}[ at {place}].`, '> {quotation}', 'Missing: {missing}']);
};

const tasks = each(
  'tasks',
  '**{#}. {title}**[ {[}{from,}{]}]',
  bullets(
    (task) =>
      rowsOf(task, 'files', '`{path}`{isNew?}', {
        path: (file) => lineOf(file, 'path').replaceAll('`', "'"),
        isNew: spoken('isNew', { true: ' (new)' }),
      }),
    'test: {test}',
    'done when: {doneWhen}',
  ),
);

/**
 * Formats a model's structured answer to a task of a plan, such as `plan/speak`, as text for people. Returns
 * undefined for tasks of other protocols.
 */
export const formatSeatAnswer = writer.answerWords({
  'plan/staff': [
    headed('Searches', 'queries'),
    headed('Clusters named from the cards', 'clusters'),
  ],
  'plan/questions': counted('Questions to be answered first', 'questions', '{question}[ ({why})]'),
  'plan/look-up': lookUp,
  'plan/research': [
    counted('Found in the code', 'claims', '{text}[ “{quotation}”]'),
    counted('Stands nowhere', 'absent', '{text}[ Nowhere: “{pattern}”][ in {paths,}]'),
  ],
  'plan/carries': formatVerdicts(
    'verdicts',
    'carries',
    'carried by its quotation',
    'not carried by its quotation',
  ),
  'plan/speak': each('statements', formatStatement),
  'plan/control': formatControls,
  'plan/conflicts': [
    // Show the conflicts as the model answered, with the planted statement among them: code removes this statement
    // only after the answer.
    controlNote(
      'conflicts',
      CONFLICT,
      '; the Conflicts tab has what is left without it, and says if its id was swapped with another',
    ),
    counted('Conflicts found', 'conflicts', CONFLICT),
  ],
  'plan/answer': [
    headed('Answers', 'answers', '**{conflict}** {choice}[: {why}]', { choice: formatChoice }),
    headed('Now reads', 'change', '[**{id}** ]{text}[ Because: {because}]'),
    headed('Taken back', 'withdraw', '**{id?}**[ in {conflict}][: {why}]'),
    below('## Added', each('add', formatStatement)),
  ],
  'plan/must': onceGiven(
    'holds',
    spoken('holds', { true: '**It holds its must.**', false: '**It gives up its must.**' }),
    '{why*}',
  ),
  'plan/reread': formatVerdicts(
    'readings',
    'says',
    'says what was found',
    'does not say what was found',
  ),
  'plan/told': counted('Does not go with it', 'clashes', '[**{id}**]: {why}'),
  'plan/carried': ['**Carried: {carried}.**', '> {quotation}', 'Missing: {missing}'],
  'plan/compared': [
    controlNote('contradictions', CONTRADICTION),
    counted('Contradictions', 'contradictions', CONTRADICTION),
  ],
  'plan/synthesis': [
    '{goal*}',
    headed('Out of scope', 'outOfScope'),
    headed('Decisions', 'decisions', CITED),
    headed('Interfaces', 'interfaces', CITED),
    headed('Data', 'data', CITED),
    below('## Tasks', tasks),
    headed('Risks', 'risks', CITED),
    headed('Open', 'openQuestions', CITED),
    headed('Not carried', 'notCarried', '{id?}[ ({why})]'),
    headed('To be mended in any case', 'fixes', '**{title?}**[ ({path})]: {problem?} {change?}'),
  ],
});
