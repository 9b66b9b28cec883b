/**
 * Formats a plan's structured answers as Markdown, complete or while they are written. Missing fields and
 * fields of another type are left out.
 */
import type { AnswerWords } from '../../../text/answers/answer.ts';
import {
  flag,
  isListField,
  items,
  lineOf,
  linesOf,
  text,
  wrap,
} from '../../../text/answers/read.ts';
import { list, paragraphs } from '../../../text/markdown/blocks.ts';

type Words = (answer: unknown) => string;

const ANSWERS: ReadonlyMap<string, Words> = new Map<string, Words>([
  ['plan/staff', staffWords],
  ['plan/questions', questionsWords],
  ['plan/look-up', lookUpWords],
  ['plan/research', researchWords],
  ['plan/carries', carriesWords],
  ['plan/speak', speakWords],
  ['plan/control', controlWords],
  ['plan/conflicts', conflictsWords],
  ['plan/answer', answerOfSeatWords],
  ['plan/must', mustWords],
  ['plan/reread', rereadWords],
  ['plan/told', toldWords],
  ['plan/carried', carriedWords],
  ['plan/compared', comparedWords],
  ['plan/synthesis', draftWords],
]);

/**
 * Formats an answer by the name of its task, such as `plan/speak`. Undefined if the task is not a plan's.
 */
export const answerWords: AnswerWords = (task, value) => ANSWERS.get(task ?? '')?.(value).trimEnd();

function staffWords(answer: unknown): string {
  return paragraphs([
    headed('Searches', linesOf(answer, 'queries')),
    headed('Clusters named from the cards', linesOf(answer, 'clusters')),
  ]);
}

function questionsWords(answer: unknown): string {
  const rows = items(answer, 'questions').flatMap((one) => {
    const question = lineOf(one, 'question');
    return question === '' ? [] : [`${question}${wrap(' (', lineOf(one, 'why'), ')')}`];
  });
  return counted('Questions to be answered first', answer, 'questions', rows);
}

function lookUpWords(answer: unknown): string {
  // Before edition 3 of the rules, `answered` is true or false.
  const whole = flag(answer, 'answered');
  const part = lineOf(answer, 'answered');
  if (whole === undefined && part === '') return '';
  if (whole === false || part === 'not') return 'Not answered by these documents.';
  return paragraphs([
    `Answered${part === 'partly' ? ' in part' : ''}${wrap(' at ', lineOf(answer, 'place'))}.`,
    wrap('> ', lineOf(answer, 'quotation')),
    wrap('Missing: ', lineOf(answer, 'missing')),
  ]);
}

function researchWords(answer: unknown): string {
  const claims = items(answer, 'claims').flatMap((one) => {
    const said = lineOf(one, 'text');
    return said === '' ? [] : [`${said}${wrap(' “', lineOf(one, 'quotation'), '”')}`];
  });
  const absent = items(answer, 'absent').flatMap((one) => {
    const said = lineOf(one, 'text');
    const where = linesOf(one, 'paths').join(', ');
    return said === ''
      ? []
      : [`${said}${wrap(' Nowhere: “', lineOf(one, 'pattern'), '”')}${wrap(' in ', where)}`];
  });
  return paragraphs([
    counted('Found in the code', answer, 'claims', claims),
    counted('Stands nowhere', answer, 'absent', absent),
  ]);
}

function carriesWords(answer: unknown): string {
  return list(
    items(answer, 'verdicts').flatMap((one) => {
      const carries = flag(one, 'carries');
      if (carries === undefined) return [];
      const verdict = carries ? 'carried by its quotation' : 'not carried by its quotation';
      return [`**${lineOf(one, 'number')}** ${verdict}${wrap(': ', lineOf(one, 'why'))}`];
    }),
  );
}

/** Formats statements that code has not numbered yet. */
function speakWords(answer: unknown): string {
  return paragraphs(items(answer, 'statements').map((one) => statementWords(one)));
}

function statementWords(one: unknown): string {
  const said = text(one, 'text');
  const title = lineOf(one, 'title');
  const kind = lineOf(one, 'kind');
  if (said === '' && title === '') return '';
  const marks = [kind, flag(one, 'must') === true && kind === 'constraint' ? 'must' : '']
    .filter((mark) => mark !== '')
    .join(', ');
  const out = wrap('A way out of ', lineOf(one, 'conflict'), '.');
  const name = title === '' ? marks : `${title}${wrap(' (', marks, ')')}`;
  return paragraphs([wrap('**', name, '**'), said, wrap('Because: ', text(one, 'because')), out]);
}

/** Formats one control of a plan before the fifth edition, or the several of a later one. */
function controlWords(answer: unknown): string {
  const isOne = !isListField(answer, 'controls');
  const written = (isOne ? [answer] : items(answer, 'controls')).map((one) => {
    const said = text(one, 'text');
    const title = lineOf(one, 'title');
    if (said === '' && title === '') return '';
    const heading = wrap('**', `Against ${lineOf(one, 'of')}${wrap(', ', title)}`, '**');
    return paragraphs([heading, said, wrap('Because: ', text(one, 'because'))]);
  });
  const statements = paragraphs(written);
  return statements === '' ? '' : paragraphs([`_${WRITTEN_NOTE}_`, statements]);
}

const WRITTEN_NOTE =
  'Written to be planted: none of the seats said it. The Conflicts tab has the one that was planted.';

const CONTROL_NOTE =
  'One statement may be a control that the program planted among them; the Conflicts tab has what is left without it.';

function conflictsWords(answer: unknown): string {
  const rows = items(answer, 'conflicts').flatMap((one) => {
    const question = lineOf(one, 'question');
    if (question === '') return [];
    const between = wrap(' Between ', linesOf(one, 'statements').join(', '), '.');
    const kind = wrap(' (', lineOf(one, 'kind'), ')');
    const given = wrap(' It rests on ', linesOf(one, 'given').join(', '), '.');
    return [`**${question}**${kind}${between}${given}${wrap(' ', lineOf(one, 'why'))}`];
  });
  const found = counted('Conflicts found', answer, 'conflicts', rows);
  // Findings are shown as they were given. Code later drops those about the planted statement.
  const note = rows.length === 0 ? '' : `_${CONTROL_NOTE}_`;
  return paragraphs([note, found]);
}

/** What a seat says to a question, other than that it accepts options. */
const VERDICTS: ReadonlyMap<string, string> = new Map([
  ['compatible', 'they go together'],
  ['misread', 'misread'],
]);

function answerOfSeatWords(answer: unknown): string {
  const answers = items(answer, 'answers').flatMap((one) => {
    const conflict = lineOf(one, 'conflict');
    const says = lineOf(one, 'says');
    if (conflict === '' || says === '') return [];
    const accepts = linesOf(one, 'accepts').join(', ') || 'none of them';
    const prefers = wrap(', prefers ', lineOf(one, 'prefers'));
    const verdict = VERDICTS.get(says) ?? `accepts ${accepts}${prefers}`;
    return [`**${conflict}** ${verdict}${wrap(': ', lineOf(one, 'why'))}`];
  });
  const change = items(answer, 'change').map((one) =>
    wrap(
      wrap('**', lineOf(one, 'id'), '** '),
      lineOf(one, 'text'),
      wrap(' Because: ', lineOf(one, 'because')),
    ),
  );
  const withdraw = items(answer, 'withdraw').map(
    (one) =>
      `**${lineOf(one, 'id')}**${wrap(' in ', lineOf(one, 'conflict'))}${wrap(': ', lineOf(one, 'why'))}`,
  );
  const add = paragraphs(items(answer, 'add').map((one) => statementWords(one)));
  return paragraphs([
    headed('Answers', answers),
    headed('Now reads', change),
    headed('Taken back', withdraw),
    wrap('## Added\n\n', add),
  ]);
}

function mustWords(answer: unknown): string {
  const holds = flag(answer, 'holds');
  if (holds === undefined) return '';
  return paragraphs([
    holds ? '**It holds its must.**' : '**It gives up its must.**',
    text(answer, 'why'),
  ]);
}

function rereadWords(answer: unknown): string {
  return list(
    items(answer, 'readings').flatMap((one) => {
      const says = flag(one, 'says');
      if (says === undefined) return [];
      const verdict = says ? 'says what was found' : 'does not say what was found';
      return [`**${lineOf(one, 'number')}** ${verdict}${wrap(': ', lineOf(one, 'why'))}`];
    }),
  );
}

function toldWords(answer: unknown): string {
  const rows = items(answer, 'clashes').map((one) =>
    wrap(wrap('**', lineOf(one, 'id'), '**'), wrap(': ', lineOf(one, 'why'))),
  );
  return counted('Does not go with it', answer, 'clashes', rows);
}

function carriedWords(answer: unknown): string {
  const how = lineOf(answer, 'carried');
  return paragraphs([
    wrap('**Carried: ', how, '.**'),
    wrap('> ', lineOf(answer, 'quotation')),
    wrap('Missing: ', lineOf(answer, 'missing')),
  ]);
}

function comparedWords(answer: unknown): string {
  const rows = items(answer, 'contradictions').map(
    (one) =>
      `**${lineOf(one, 'one')}** “${lineOf(one, 'quotationOfOne')}” and **${lineOf(one, 'other')}** “${lineOf(one, 'quotationOfOther')}”${wrap(': ', lineOf(one, 'why'))}`,
  );
  const note = rows.length === 0 ? '' : `_${CONTROL_NOTE.replace(/; .*/, '.')}_`;
  return paragraphs([note, counted('Contradictions', answer, 'contradictions', rows)]);
}

function draftWords(answer: unknown): string {
  const tasks = items(answer, 'tasks').flatMap((one, index) => {
    const title = lineOf(one, 'title');
    if (title === '') return [];
    return [
      paragraphs([
        `**${index + 1}. ${title}**${cited(one)}`,
        list([
          ...items(one, 'files').flatMap((file) => {
            const path = lineOf(file, 'path').replaceAll('`', "'");
            return path === ''
              ? []
              : [`\`${path}\`${flag(file, 'isNew') === true ? ' (new)' : ''}`];
          }),
          ...labeled('test: ', lineOf(one, 'test')),
          ...labeled('done when: ', lineOf(one, 'doneWhen')),
        ]),
      ]),
    ];
  });
  return paragraphs([
    text(answer, 'goal'),
    headed('Out of scope', linesOf(answer, 'outOfScope')),
    headed('Decisions', citedRows(answer, 'decisions')),
    headed('Interfaces', citedRows(answer, 'interfaces')),
    headed('Data', citedRows(answer, 'data')),
    wrap('## Tasks\n\n', paragraphs(tasks)),
    headed('Risks', citedRows(answer, 'risks')),
    headed('Open', citedRows(answer, 'openQuestions')),
    headed(
      'Not carried',
      items(answer, 'notCarried').map(
        (one) => `${lineOf(one, 'id')}${wrap(' (', lineOf(one, 'why'), ')')}`,
      ),
    ),
    headed(
      'To be mended in any case',
      items(answer, 'fixes').map((one) =>
        [
          `**${lineOf(one, 'title')}**${wrap(' (', lineOf(one, 'path'), ')')}:`,
          lineOf(one, 'problem'),
          lineOf(one, 'change'),
        ].join(' '),
      ),
    ),
  ]);
}

function citedRows(answer: unknown, name: string): string[] {
  return items(answer, name).flatMap((one) => {
    const said = lineOf(one, 'text');
    return said === '' ? [] : [`${said}${cited(one)}`];
  });
}

/** Formats the cited statements, such as ` [engine-1, engine-2]`. */
function cited(one: unknown): string {
  return wrap(' [', linesOf(one, 'from').join(', '), ']');
}

function headed(title: string, rows: readonly string[]): string {
  return wrap(`## ${title}\n\n`, list(rows.filter((row) => row !== '')));
}

/** Formats a list with its length, because an empty list that is still growing looks like a final one. */
function counted(title: string, answer: unknown, name: string, rows: readonly string[]): string {
  if (!isListField(answer, name)) return '';
  return paragraphs([`**${title}: ${rows.length}**`, list(rows)]);
}

function labeled(label: string, said: string): string[] {
  return said === '' ? [] : [`${label}${said}`];
}
