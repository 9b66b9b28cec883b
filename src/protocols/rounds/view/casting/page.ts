/** The walk as rows of a screen: what is asked, what can be chosen, and which keys there are. */

import { keyIn, keyLabel } from '../../../../console/keys/bindings.ts';
import { type CommandOf, KEYMAP, type Keymap } from '../../../../console/keys/keymap.ts';
import { fitting, keyRow } from '../../../../console/run/sections/foot.ts';
import { cleanLine } from '../../../../console/terminal/door.ts';
import type { Theme } from '../../../../console/terminal/theme.ts';
import { listRows } from '../../../../console/ui/list.ts';
import { fieldRow } from '../../../../console/ui/text-input.ts';
import { padEnd, truncate } from '../../../../text/width.ts';
import { wrapPlain } from '../../../../text/wrap.ts';
import { isField, type Offer, type Stress, type Walk } from './walk.ts';

/** The widest lines that are read without losing the next one. */
const READING_WIDTH = 96;

export const PUSHBACK =
  'Stress rounds cost no extra round, and without them nobody can tell which roles carry the result and which only decorate it.';

const TITLES: Readonly<Record<Walk['step'], string>> = {
  system: 'What are you building or evaluating?',
  question: 'What is to be decided?',
  cast: 'Who should argue about it?',
  roles: 'Are these the right four?',
  who: 'Who is it?',
  budget: 'How many rounds?',
  number: 'How many rounds?',
  stress: 'In some rounds one role stays away, to show what it carries.',
  pushback: 'Without stress rounds?',
  review: 'This is what will be convened',
};

interface WalkLook {
  readonly offer: Offer;
  readonly theme: Theme;
  readonly keymap?: Keymap;
  readonly columns: number;
  readonly rows: number;
}

/** Exactly `rows` rows. */
export function pageOf(walk: Walk, look: WalkLook): string[] {
  const { columns, rows, theme } = look;
  const width = Math.max(10, Math.min(READING_WIDTH, columns - 4));
  const body = [
    theme.bold(truncate(TITLES[walk.step], width)),
    '',
    ...bodyOf(walk, look, width),
    ...(walk.note === undefined ? [] : ['', theme.tone('yellow', truncate(walk.note, width))]),
  ];
  const title = truncate(' deliberate  rounds · before it begins', columns);
  const page = [theme.inverse(padEnd(title, columns)), ...body.map((row) => `  ${row}`)];
  page.splice(1, 0, ...(rows >= page.length + 3 ? [''] : []));
  while (page.length < rows - 1) page.push('');
  return [
    ...page.slice(0, rows - 1),
    keyRow(theme, fitting(keysOf(walk, look.keymap ?? KEYMAP), columns - 1)),
  ];
}

function keysOf({ step, trail }: Walk, keymap: Keymap): string[] {
  const of = (command: CommandOf<'walk'>): string => keyIn(keymap, 'walk', command);
  const numbers = `${of('choose')}-${keyLabel(keymap.walk.choose.keys.at(-1) ?? '')}`;
  return [
    ...(isField(step) || step === 'review' ? [] : [`${of('up')},${of('down')},${numbers} choose`]),
    `${of('accept')} ${step === 'review' ? 'convene' : 'go on'}`,
    ...(trail.length > 0 ? [`${of('back')} back`] : []),
    `${of('leave')} leave`,
  ];
}

function bodyOf(walk: Walk, look: WalkLook, width: number): string[] {
  const { offer, theme } = look;
  const { answers, cursor, field, step } = walk;
  const about = (text: string): string[] => wrapPlain(text, width).map((row) => theme.dim(row));
  const list = (items: readonly string[], height = items.length): string[] => {
    const numbered = items.map((item, index) => `${index + 1} ${item}`);
    const all = numbered.map((label) => ({ value: label, label }));
    const look = { width, height, theme };
    return listRows({ items: all, filter: undefined, round: true, rest: 0, at: cursor }, look);
  };
  const input = fieldRow(field, width, theme);
  switch (step) {
    case 'system':
      return [
        ...about('In one line: a system, a text, a plan. Enter alone where the question says it.'),
        '',
        input,
        ...(offer.question === undefined
          ? []
          : ['', ...wrapPlain(`The question: ${cleanLine(offer.question)}`, width).slice(0, 4)]),
      ];
    case 'question':
      return [
        ...about(
          'Something specific that can turn out one way or another, not "let us discuss X".',
        ),
        '',
        input,
      ];
    case 'cast': {
      const chosen = offer.casts[cursor];
      return [
        ...list(
          offer.casts.map(
            ({ name, description }) => `${cleanLine(name)}: ${cleanLine(description)}`,
          ),
          Math.min(offer.casts.length, Math.max(4, look.rows - 14)),
        ),
        '',
        ...offer.roles.map(({ id }) => truncate(`   ${cleanLine(chosen?.cast[id] ?? '')}`, width)),
        ...(offer.problems.length === 0 ? [] : ['']),
        ...offer.problems
          .slice(0, 2)
          .flatMap((one) => wrapPlain(`not read: ${cleanLine(one)}`, width).slice(0, 3))
          .map((row) => theme.tone('yellow', row)),
      ];
    }
    case 'roles':
      return [
        ...about('Enter on a line changes who it is.'),
        '',
        ...list([
          ...offer.roles.map(({ id, title }) => `${title.padEnd(9)} ${cleanLine(answers.who[id])}`),
          'Go on with these four',
        ]),
      ];
    case 'who': {
      const role = offer.roles.find(({ id }) => id === walk.editing);
      return [...about(`${role?.title ?? ''}: "${role?.question ?? ''}"`), '', input];
    }
    case 'budget':
      return [
        ...list([
          ...offer.budgets.map(
            ({ name, rounds }) =>
              `${name.padEnd(9)} ${String(rounds).padStart(2)} rounds  ${planWords(rounds, offer)}`,
          ),
          'another number',
        ]),
        '',
        ...about(
          'R5 critic: round 5 is a stress round, held without the critic. It stops earlier where the signals say so.',
        ),
      ];
    case 'number':
      return [
        ...about(`From 1 to ${offer.most}. The method asks for ${offer.minimum} or more.`),
        '',
        input,
      ];
    case 'stress':
      return [
        ...about(
          `Of ${answers.rounds} rounds, held without one role: ${stressWords(offer.stressFor(answers.rounds))}.`,
        ),
        '',
        ...list(['Hold them', 'Skip them']),
      ];
    case 'pushback':
      return [...wrapPlain(PUSHBACK, width), '', ...list(['Hold them', 'Skip them all the same'])];
    case 'review':
      return review(walk, offer, width, theme);
  }
}

function review({ answers }: Walk, offer: Offer, width: number, theme: Theme): string[] {
  const { system, question, who, rounds, stress } = answers;
  const part = (name: string, text: string, most: number): string[] => {
    const lines = wrapPlain(cleanLine(text), Math.max(10, width - 10));
    const shown = lines.slice(0, most);
    const last = shown.at(-1);
    if (lines.length > most && last !== undefined)
      shown[most - 1] = truncate(`${last} …`, width - 10);
    return shown.map((row, index) => `${theme.dim((index === 0 ? name : '').padEnd(10))}${row}`);
  };
  return [
    ...part('Question', question, 3),
    ...(system === '' ? [] : part('About', system, 2)),
    '',
    ...offer.roles.flatMap(({ id, title }) => part(title, who[id], 2)),
    '',
    ...part(
      'Rounds',
      `${rounds}${rounds < offer.minimum ? `, fewer than the ${offer.minimum} the method asks for` : ''}`,
      1,
    ),
    ...part('Stress', stressWords(stress), 2),
  ];
}

function planWords(rounds: number, offer: Offer): string {
  return rounds < offer.minimum
    ? `below the method's minimum of ${offer.minimum}; ${stressWords(offer.stressFor(rounds))}`
    : stressWords(offer.stressFor(rounds));
}

/** `R3 critic, R5 guardian` */
function stressWords(stress: Stress): string {
  const rounds = Object.entries(stress).map(([round, role]) => `R${round} ${role}`);
  return rounds.length === 0 ? 'no stress rounds' : rounds.join(', ');
}
