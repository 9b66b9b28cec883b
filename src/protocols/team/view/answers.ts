/**
 * Formats a team's structured answers as Markdown, complete or while they are written. Missing fields and
 * fields of another type are left out.
 */

import { letters, words } from '../../../plain/markdown.ts';
import type { AnswerWords } from '../../../text/answers/answer.ts';
import * as read from '../../../text/answers/read.ts';
import { entry, flag, items, wrap } from '../../../text/answers/read.ts';
import { list, paragraphs } from '../../../text/markdown/blocks.ts';

type Words = (answer: unknown) => string;

/** Returns a model's text as one line, escaped for Markdown. */
const lineOf = (value: unknown, name: string): string => words(read.lineOf(value, name));
const linesOf = (value: unknown, name: string): string[] => read.linesOf(value, name).map(words);
const text = (value: unknown, name: string): string => letters(read.text(value, name));

const ANSWERS: ReadonlyMap<string, Words> = new Map<string, Words>([
  ['team/plan', planWords],
  ['team/critique', critiqueWords],
  ['team/boundaries', boundariesWords],
  ['team/propose', proposalWords],
  ['team/contradictions', contradictionsWords],
  ['team/answer', answersWords],
  ['team/architecture', architectureWords],
  ['team/fit', fitWords],
  ['team/graph', graphWords],
  ['team/tests', testsWords],
  ['team/work', workWords],
  ['team/correct', correctWords],
  ['team/place', placedWords],
  ['team/verify', verdictWords],
  ['team/look-again', verdictWords],
  ['team/mend-probe', (answer) => paragraphs([probeWords(answer)])],
  ['team/accept', acceptanceWords],
]);

/**
 * Formats an answer by the name of its task, such as `team/plan`. Undefined if the task is not a team's.
 */
export const answerWords: AnswerWords = (task, value) => ANSWERS.get(task ?? '')?.(value).trimEnd();

function planWords(answer: unknown): string {
  return paragraphs([
    wrap('**T1 says that no team is needed:** ', lineOf(answer, 'no_team')),
    headed(
      'Requirements',
      rows(
        answer,
        'requirements',
        'text',
        (one, said) => `${bold(one, 'id')}${said}${wrap(' (', lineOf(one, 'proof'), ')')}`,
      ),
    ),
    headed(
      'Workstreams',
      rows(answer, 'workstreams', 'goal', (one, said) => {
        const after = wrap(' after ', linesOf(one, 'depends_on').join(', '));
        return `${bold(one, 'id')}${wrap('', lineOf(one, 'path'), `${after}: `)}${said}`;
      }),
    ),
    headed(
      'What the tiers are for',
      rows(answer, 'tiers', 'why', (one, said) => `${bold(one, 'tier')}${said}`),
    ),
    headed(
      'Checks',
      items(answer, 'checks').flatMap((one) => {
        const argv = read.linesOf(one, 'argv');
        return argv.length === 0 ? [] : [`${bold(one, 'id')}${words(JSON.stringify(argv))}`];
      }),
    ),
    headed('Guarded files', linesOf(answer, 'guarded')),
    headed('Questions', linesOf(answer, 'questions')),
  ]);
}

function critiqueWords(answer: unknown): string {
  return paragraphs([
    headed(
      'What is wrong with it',
      rows(answer, 'found', 'what', (one, said) => `${said}${wrap(' ', lineOf(one, 'change'))}`),
    ),
    planWords(entry(answer, 'plan')),
  ]);
}

function boundariesWords(answer: unknown): string {
  return paragraphs([
    headed(
      'Who owns which files',
      rows(answer, 'domains', 'id', (one, said) => {
        const streams = wrap(' (', linesOf(one, 'workstreams').join(', '), ')');
        return `**${said}**${streams}${wrap(': ', linesOf(one, 'owns').join(', '))}`;
      }),
    ),
    headed(
      'Shared assumptions',
      rows(answer, 'assumptions', 'text', (one, said) => `${bold(one, 'id')}${said}`),
    ),
  ]);
}

function proposalWords(answer: unknown): string {
  return paragraphs([
    text(answer, 'design'),
    interfaces(answer),
    headed(
      'Needs from others',
      rows(answer, 'needs', 'what', (one, said) => `${bold(one, 'domain')}${said}`),
    ),
    headed('Risks', linesOf(answer, 'risks')),
  ]);
}

function interfaces(answer: unknown): string {
  return headed(
    'Interfaces',
    rows(answer, 'interfaces', 'signature', (one, said) => {
      const where = wrap(' in ', lineOf(one, 'file'));
      return `${bold(one, 'name')}${said}${where}${wrap(' (', lineOf(one, 'change'), ')')}`;
    }),
  );
}

function contradictionsWords(answer: unknown): string {
  return headed(
    'Contradictions',
    rows(answer, 'found', 'why', (one, said) => {
      const side = (name: string): string =>
        `${lineOf(one, name)}${wrap(' “', lineOf(one, `quote_${name}`), '”')}`;
      return `${bold(one, 'id')}${side('a')} and ${side('b')}: ${said}`;
    }),
  );
}

function answersWords(answer: unknown): string {
  return paragraphs([
    headed(
      'Answers',
      rows(answer, 'answers', 'stance', (one, said) => {
        const stances = new Map([
          ['concede', 'concedes'],
          ['hold', 'holds'],
          ['compromise', 'meets halfway'],
        ]);
        return `${bold(one, 'contradiction')}${stances.get(said) ?? said}${wrap(': ', lineOf(one, 'why'))}`;
      }),
    ),
    proposalWords(entry(answer, 'proposal')),
  ]);
}

function architectureWords(answer: unknown): string {
  return paragraphs([
    text(answer, 'summary'),
    interfaces(answer),
    headed(
      'Decisions',
      rows(answer, 'decisions', 'text', (one, said) => {
        const covers = wrap(' (', linesOf(one, 'covers').join(', '), ')');
        return `${bold(one, 'id')}${said}${covers}`;
      }),
    ),
    headed(
      'Settled',
      rows(answer, 'settled', 'how', (one, said) => `${bold(one, 'contradiction')}${said}`),
    ),
    headed('Open', linesOf(answer, 'open')),
  ]);
}

function fitWords(answer: unknown): string {
  const fits = flag(answer, 'fits');
  if (fits === undefined) return '';
  return paragraphs([
    fits ? '**It fits the goal.**' : '**It does not fit the goal.**',
    headed('Not covered', linesOf(answer, 'uncovered')),
    headed(
      'Against it',
      rows(answer, 'against', 'why', (one, said) => `${bold(one, 'decision')}${said}`),
    ),
  ]);
}

function graphWords(answer: unknown): string {
  return paragraphs([
    ...items(answer, 'tasks').map((one) => {
      const title = lineOf(one, 'title');
      if (title === '') return '';
      return paragraphs([
        `**${lineOf(one, 'id')}** ${title}`,
        text(one, 'brief'),
        list([
          ...labeled('files: ', linesOf(one, 'files').join(', ')),
          ...labeled('after: ', linesOf(one, 'depends_on').join(', ')),
          ...labeled('done when: ', lineOf(one, 'done_when')),
        ]),
      ]);
    }),
    needs(answer, 'not_mine', 'Not its own'),
  ]);
}

function needs(answer: unknown, name: string, title: string): string {
  return headed(
    title,
    rows(
      answer,
      name,
      'what',
      (one, said) => `${bold(one, 'kind')}${said}${wrap(': ', lineOf(one, 'why'))}`,
    ),
  );
}

function testsWords(answer: unknown): string {
  return paragraphs([
    headed(
      'Tests written first',
      rows(
        answer,
        'tests',
        'shows',
        (one, said) => `${bold(one, 'requirement')}${said}${wrap(' (', lineOf(one, 'path'), ')')}`,
      ),
    ),
    headed(
      'Not to be tested',
      rows(answer, 'untestable', 'why', (one, said) => `${bold(one, 'requirement')}${said}`),
    ),
  ]);
}

function workWords(answer: unknown): string {
  const states = new Map([
    ['done', '**It says that it is done.**'],
    ['partial', '**It says that a part is done.**'],
    ['blocked', '**It says that it is blocked.**'],
  ]);
  return paragraphs([
    states.get(lineOf(answer, 'status')) ?? '',
    headed(
      'What it did',
      rows(answer, 'did', 'what', (one, said) => `${bold(one, 'path')}${said}`),
    ),
    headed('Left', linesOf(answer, 'left')),
    needs(answer, 'needs', 'Needed'),
  ]);
}

function correctWords(answer: unknown): string {
  return paragraphs([
    text(answer, 'why'),
    wrap('## The brief from now on\n\n', text(answer, 'brief')),
    wrap('Done when: ', text(answer, 'done_when')),
    headed(
      'Tests that may change',
      rows(answer, 'test_changes', 'why', (one, said) => `${bold(one, 'path')}${said}`),
    ),
    headed(
      'Done before it',
      rows(answer, 'tasks', 'title', (one, said) => `${bold(one, 'id')}${said}`),
    ),
  ]);
}

function placedWords(answer: unknown): string {
  return paragraphs([
    headed(
      'Nobody’s until now',
      rows(
        answer,
        'placed',
        'what',
        (one, said) =>
          `${bold(one, 'item')}${lineOf(one, 'task') === '' ? 'left out' : `to ${lineOf(one, 'task')}`}: ${said}${wrap(': ', lineOf(one, 'why'))}`,
      ),
    ),
  ]);
}

function verdictWords(answer: unknown): string {
  const verdict = lineOf(answer, 'verdict');
  const place = (one: unknown): string => {
    const quote = wrap('“', lineOf(one, 'quote'), '”');
    return wrap(' (', [lineOf(one, 'path'), quote].filter(Boolean).join(': '), ')');
  };
  const met = new Map([
    ['yes', 'is met'],
    ['no', 'is not met'],
    ['unclear', 'is unclear'],
  ]);
  return paragraphs([
    wrap('**Says: ', verdict, '**'),
    headed(
      'Requirements',
      rows(answer, 'items', 'requirement', (one, said) => {
        const how = met.get(lineOf(one, 'met')) ?? lineOf(one, 'met');
        return `**${said}** ${how}${wrap(': ', lineOf(one, 'why'))}${place(one)}`;
      }),
    ),
    headed(
      'Defects',
      rows(answer, 'defects', 'why', (one, said) => `${bold(one, 'task')}${said}${place(one)}`),
    ),
    probeWords(answer),
    headed(
      'Tests that it would drop',
      rows(answer, 'drops', 'why', (one, said) => `${bold(one, 'path')}${said}${place(one)}`),
    ),
  ]);
}

function probeWords(answer: unknown): string {
  const probe = entry(answer, 'probe');
  const of = [lineOf(probe, 'requirement'), lineOf(probe, 'path')].filter(Boolean).join(', ');
  return wrap('Probe: ', lineOf(probe, 'shows'), wrap(' (', of, ')'));
}

function acceptanceWords(answer: unknown): string {
  const said = new Map([
    ['accept', '**T1 accepts it.**'],
    ['reject', '**T1 rejects it.**'],
  ]);
  const reject = entry(answer, 'reject');
  return paragraphs([
    said.get(lineOf(answer, 'decision')) ?? '',
    wrap(wrap('Back to ', lineOf(reject, 'tier'), ': '), lineOf(reject, 'reason')),
    headed(
      'Requirements',
      rows(
        answer,
        'requirements',
        'id',
        (one, id) =>
          `**${id}** ${lineOf(one, 'met') === 'yes' ? 'is met' : 'is not met'}${wrap(': ', linesOf(one, 'evidence').join('; '))}`,
      ),
    ),
    headed(
      'Beyond the goal',
      rows(answer, 'beyond_goal', 'what', (one, what) => `${bold(one, 'path')}${what}`),
    ),
  ]);
}

/** Formats a row for each entry of the list `name` that has a text in the field `of`. */
function rows(
  answer: unknown,
  name: string,
  of: string,
  row: (one: unknown, said: string) => string,
): string[] {
  return items(answer, name).flatMap((one) => {
    const said = lineOf(one, of);
    return said === '' ? [] : [row(one, said)];
  });
}

/** Formats a field in bold, such as `**R1** `; empty if the field is missing. */
function bold(one: unknown, name: string): string {
  return wrap('**', lineOf(one, name), '** ');
}

function headed(title: string, said: readonly string[]): string {
  return wrap(`## ${title}\n\n`, list(said.filter((row) => row !== '')));
}

function labeled(label: string, said: string): string[] {
  return said === '' ? [] : [`${label}${said}`];
}
