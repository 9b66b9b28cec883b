/** Draws the screen for casting: the question, the choices, and the keys. */

import { keyIn, keyLabel } from '../../../../console/keys/key-lookup.ts';
import type { CommandOf, Keymap } from '../../../../console/keys/keymap.ts';
import { keyLines } from '../../../../console/shell/help.ts';
import { type ShellLook, shellPage } from '../../../../console/shell/page.ts';
import { listRows } from '../../../../console/ui/list.ts';
import { fieldRow } from '../../../../console/ui/text-input.ts';
import {
  formatEstimatedCalls,
  formatEstimatedPrice,
  formatEstimatedTokens,
} from '../../../../plain/estimate.ts';
import { toLine } from '../../../../text/line.ts';
import { padEnd, truncateLine } from '../../../../text/width.ts';
import { wrapPlain } from '../../../../text/wrap.ts';
import { type CastingOffer, type CastingState, isField, type Stress } from './walk.ts';

/** The width in cells up to which lines are easy to read. */
const READING_WIDTH = 96;

/** The warning that is shown before a person starts a plan without any stress round. */
export const NO_STRESS_WARNING =
  'Stress rounds add no rounds, and only they show which roles carry the result and which are decoration.';

const TITLES: Readonly<Record<CastingState['step'], string>> = {
  system: 'What are you building or evaluating?',
  question: 'What is to be decided?',
  cast: 'Who should argue about it?',
  roles: 'Are these the right four?',
  who: 'Who is it?',
  budget: 'How many rounds?',
  number: 'How many rounds?',
  stress: 'In some rounds one role is left out, to show what it carries.',
  pushback: 'Without stress rounds?',
  review: 'Ready to start',
};

/** The rows from which the page has blank lines between its parts. */
const ROOMY = 16;

interface WalkLook extends ShellLook {
  readonly offer: CastingOffer;
}

/**
 * Draws the screen on which a person chooses the cast and the rounds. Returns exactly the given
 * number of rows.
 */
export function drawCasting(walk: CastingState, look: WalkLook): string[] {
  const { columns, rows, theme, keymap } = look;
  const width = Math.max(10, Math.min(READING_WIDTH, columns - 4));
  const gap = rows < ROOMY ? [] : [''];
  const title = truncateLine(' deliberate  rounds · setup', columns);
  return shellPage(walk, look, {
    head: [theme.inverse(padEnd(title, columns))],
    body: (height) => {
      const note =
        walk.note === undefined ? [] : [theme.tone('yellow', truncateLine(walk.note, width))];
      const asked = theme.bold(truncateLine(TITLES[walk.step], width));
      const body = [
        asked,
        ...gap,
        ...bodyOf(walk, look, width),
        ...note.flatMap((row) => [...gap, row]),
      ];
      return body.length + 1 < height ? ['', ...body] : body;
    },
    help: () => [...gap, ...keyLines(keymap, 'walk', { theme, width, columns })],
    margin: '  ',
    status: [],
    keys: () => keysOf(walk, keymap),
    always: 3,
  });
}

function keysOf({ step, trail, field }: CastingState, keymap: Keymap): string[] {
  const getKey = (command: CommandOf<'walk'>): string => keyIn(keymap, 'walk', command);
  const numbers = `${getKey('choose')}-${keyLabel(keymap.walk.choose.keys.at(-1) ?? '')}`;
  return [
    ...(isField(step) || step === 'review'
      ? []
      : [`${getKey('up')},${getKey('down')},${numbers} choose`]),
    ...(trail.length > 0 ? [`${getKey('back')} back`] : []),
    `${getKey('accept')} ${step === 'review' ? 'start' : 'go on'}`,
    // If the person has begun to write in a field, such as the question of a new deliberation, do not list the key
    // for help: `?` is then a character of the text.
    ...(isField(step) && field.text !== '' ? [] : [`${getKey('help')} help`]),
    `${getKey('leave')} leave`,
  ];
}

function bodyOf(walk: CastingState, look: WalkLook, width: number): string[] {
  const { offer, theme } = look;
  const { answers, cursor, field, step } = walk;
  const wrapDim = (text: string): string[] => wrapPlain(text, width).map((row) => theme.dim(row));
  const renderChoices = (items: readonly string[], height = items.length): string[] => {
    const numbered = items.map((item, index) => `${index + 1} ${item}`);
    const all = numbered.map((label) => ({ value: label, label }));
    const look = { width, height, theme };
    return listRows({ items: all, filter: undefined, round: true, rest: 0, at: cursor }, look);
  };
  const input = fieldRow(field, width, theme);
  switch (step) {
    case 'system':
      return [
        ...wrapDim(
          'In one line: a system, a text, a plan. Leave empty if the question already says it.',
        ),
        '',
        input,
        ...(offer.question === undefined
          ? []
          : ['', ...wrapPlain(`The question: ${toLine(offer.question)}`, width).slice(0, 4)]),
      ];
    case 'question':
      return [
        ...wrapDim(
          'Something specific that can turn out one way or another, not "let us discuss X".',
        ),
        '',
        input,
      ];
    case 'cast': {
      const chosen = offer.casts[cursor];
      return [
        ...renderChoices(
          offer.casts.map(({ name, description }) => `${toLine(name)}: ${toLine(description)}`),
          Math.min(offer.casts.length, Math.max(4, look.rows - 14)),
        ),
        ...(look.rows < ROOMY ? [] : ['']),
        ...offer.roles.map(({ id }) => truncateLine(`   ${toLine(chosen?.cast[id] ?? '')}`, width)),
        ...(offer.problems.length === 0 ? [] : ['']),
        ...offer.problems
          .slice(0, 2)
          .flatMap((problem) => wrapPlain(`not read: ${toLine(problem)}`, width).slice(0, 3))
          .map((row) => theme.tone('yellow', row)),
      ];
    }
    case 'roles':
      return [
        ...(look.rows < ROOMY ? [] : [...wrapDim('Enter changes the role on that line.'), '']),
        ...renderChoices([
          ...offer.roles.map(({ id, title }) => `${title.padEnd(9)} ${toLine(answers.who[id])}`),
          'Continue with these four',
        ]),
        ...(look.rows < ROOMY ? [] : ['']),
        ...rolesAbout(walk, look, width),
      ];
    case 'who': {
      const role = offer.roles.find(({ id }) => id === walk.editing);
      return [...wrapDim(`${role?.title ?? ''}: "${role?.question ?? ''}"`), '', input];
    }
    case 'budget':
      return [
        ...renderChoices([
          ...offer.budgets.map(
            ({ name, rounds }) =>
              `${name.padEnd(9)} ${String(rounds).padStart(2)} rounds  ${planWords(rounds, offer)}`,
          ),
          'another number',
        ]),
        '',
        ...wrapDim(
          'R5 critic: round 5 is a stress round, held without the critic. The run stops earlier if the signals say so.',
        ),
      ];
    case 'number':
      return [
        ...wrapDim(`From 1 to ${offer.most}. The method asks for ${offer.minimum} or more.`),
        '',
        input,
      ];
    case 'stress':
      return [
        ...wrapDim(
          `Of ${answers.rounds} rounds, these are held without one role: ${stressWords(offer.stressFor(answers.rounds))}.`,
        ),
        '',
        ...renderChoices(['Hold them', 'Skip them']),
      ];
    case 'pushback':
      return [
        ...wrapPlain(NO_STRESS_WARNING, width),
        '',
        ...renderChoices(['Hold them', 'Skip them anyway']),
      ];
    case 'review':
      return renderReview(walk, look, width);
  }
}

/**
 * Describes what each role is for. If there is too little room, only the role under the cursor is
 * described.
 */
function rolesAbout(
  { cursor }: CastingState,
  { offer, theme, rows }: WalkLook,
  width: number,
): string[] {
  const shown = rows < ROOMY ? offer.roles.slice(cursor, cursor + 1) : offer.roles;
  return shown.map(({ title, does }) => theme.dim(truncateLine(`${title} ${does}.`, width)));
}

/**
 * Returns the summary before the start. The cost stands last and is never cut; the text before it
 * is.
 */
function renderReview(
  { answers }: CastingState,
  { offer, theme, rows }: WalkLook,
  width: number,
): string[] {
  const { system, question, who: cast, rounds, stress } = answers;
  const isRoomy = rows >= ROOMY;
  const gap = isRoomy ? [''] : [];
  const estimate = offer.estimate(answers);
  const models = new Set([...offer.roles.map(({ model }) => model), offer.verifier]);
  const [only] = models;
  const renderPart = (name: string, text: string, most: number): string[] => {
    const lines = wrapPlain(toLine(text), Math.max(10, width - 10));
    const shown = lines.slice(0, most);
    const last = shown.at(-1);
    if (lines.length > most && last !== undefined)
      shown[most - 1] = truncateLine(`${last} …`, width - 10);
    return shown.map((row, index) => `${theme.dim((index === 0 ? name : '').padEnd(10))}${row}`);
  };
  const few = rounds < offer.minimum ? `, fewer than the ${offer.minimum} the method asks for` : '';
  const plan = [
    ...renderPart('Rounds', `${rounds}${few}`, 1),
    ...renderPart('Stress', stressWords(stress), 2),
  ];
  return [
    ...renderPart('Question', question, rows < 30 ? 2 : 3),
    ...(system === '' || !isRoomy ? [] : renderPart('About', system, rows < 30 ? 1 : 2)),
    ...gap,
    ...offer.roles.flatMap(({ id, title, model }) => {
      const whom = models.size === 1 ? cast[id] : `${cast[id]} · ${model}`;
      return renderPart(title, whom, rows < 30 ? 1 : 2);
    }),
    ...gap,
    ...(isRoomy ? plan : []),
    ...(isRoomy || models.size > 1
      ? renderPart(
          models.size === 1 ? 'Model' : 'Verifier',
          only === undefined || models.size > 1 ? offer.verifier : only,
          1,
        )
      : []),
    ...renderPart(
      'Takes',
      `${formatEstimatedCalls(estimate)}, ${formatEstimatedPrice(estimate)}`,
      2,
    ),
    ...(isRoomy ? renderPart('', formatEstimatedTokens(estimate), 1) : []),
  ];
}

function planWords(rounds: number, offer: CastingOffer): string {
  return rounds < offer.minimum
    ? `below the method's minimum of ${offer.minimum}; ${stressWords(offer.stressFor(rounds))}`
    : stressWords(offer.stressFor(rounds));
}

/** Formats stress rounds: `R3 critic, R5 guardian`. */
function stressWords(stress: Stress): string {
  const rounds = Object.entries(stress).map(([round, role]) => `R${round} ${role}`);
  return rounds.length === 0 ? 'no stress rounds' : rounds.join(', ');
}
