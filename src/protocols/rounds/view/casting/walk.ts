/**
 * The state of the screen for casting before a deliberation: subject, question, roles and rounds,
 * one step at a time, each of which can be taken back. Pure: a state and a key give a state.
 */

import { keyIn } from '../../../../console/keys/key-lookup.ts';
import { KEYMAP, type Keymap } from '../../../../console/keys/keymap.ts';
import { pressIn, type ShellState, withHelp } from '../../../../console/shell/overlay.ts';
import { fieldOf, pasteText, type TextInput, typeKey } from '../../../../console/ui/text-input.ts';
import type { RunEstimate } from '../../../../kernel/estimate.ts';
import { findFittingCast } from '../../fitting-cast.ts';
import type { Role } from '../../records/types.ts';

interface NamedCast {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly topics?: readonly string[] | undefined;
  readonly cast: Readonly<Record<Role, string>>;
}

/** The role that is left out of a round on purpose, by the number of the round. */
export type Stress = Readonly<Record<number, Role>>;

/** What a person can choose on the screen for the cast and the rounds. */
export interface CastingOffer {
  readonly casts: readonly NamedCast[];
  /** The slug of the cast for questions that no other cast fits. */
  readonly neutral: string;
  /** The problems of preset casts that could not be read. */
  readonly problems: readonly string[];
  readonly roles: readonly {
    readonly id: Role;
    readonly title: string;
    readonly question: string;
    /** What the role does. The phrase continues a sentence that begins with the role's title. */
    readonly does: string;
    readonly model: string;
  }[];
  /** The model that checks the roles' work and sums up. */
  readonly verifier: string;
  /** Estimates a deliberation with the answers so far. */
  readonly estimate: (answers: Answers) => RunEstimate;
  /** The question from the command line. If it is absent, the screen asks for it. */
  readonly question?: string;
  /** The rounds that the command line sets. If they are absent, the screen asks for them. */
  readonly plan?: { readonly rounds: number; readonly stress: Stress };
  /** The numbers of rounds that have a name, such as `brief` for 3 rounds. */
  readonly budgets: readonly { readonly name: string; readonly rounds: number }[];
  /** The fewest rounds that the method recommends. */
  readonly minimum: number;
  /** The most rounds that a person can choose. */
  readonly most: number;
  /** Returns which roles are left out of which rounds by default, for a number of rounds. */
  readonly stressFor: (rounds: number) => Stress;
}

/**
 * What the command line says and the person has entered so far. A text is empty, and `rounds` is 0,
 * as long as it is not answered.
 */
export interface Answers {
  /**
   * The subject in a line, such as a system, a text or a plan, to which `question` refers. Empty if
   * the question says it.
   */
  readonly system: string;
  /** What is to be decided. */
  readonly question: string;
  /** The slug of the preset cast on which `who` is based. Absent until a cast is chosen. */
  readonly from?: string;
  /** Who plays each role, such as `SRE lead`. */
  readonly who: Readonly<Record<Role, string>>;
  readonly rounds: number;
  readonly stress: Stress;
}

type Step =
  | 'system'
  | 'question'
  | 'cast'
  | 'roles'
  | 'who'
  | 'budget'
  | 'number'
  | 'stress'
  | 'pushback'
  | 'review';

interface WalkStep {
  readonly step: Step;
  readonly cursor: number;
}

/** The state of the screen on which a person chooses the cast and the rounds, in several steps. */
export interface CastingState extends WalkStep, ShellState<CastingState> {
  /** The earlier steps, to which Esc returns. */
  readonly trail: readonly WalkStep[];
  readonly field: TextInput;
  readonly answers: Answers;
  /** The role whose line the person is editing, or edited last. */
  readonly editing?: Role;
  /** A remark on the last key, such as why an answer was refused. */
  readonly note?: string;
  readonly effect?: { readonly kind: 'begin' | 'leave' | 'suspend' } | undefined;
}

const NOBODY: Answers['who'] = { action: '', guardian: '', observer: '', critic: '' };
const FIELDS: ReadonlySet<Step> = new Set(['system', 'question', 'who', 'number']);

/** Returns whether a step of the screen asks for text, so that it has a text field. */
export function isField(step: Step): boolean {
  return FIELDS.has(step);
}

/** Returns the first state of the screen on which a person chooses the cast and the rounds. */
export function startWalk({ question = '', plan }: CastingOffer): CastingState {
  return {
    step: 'system',
    cursor: 0,
    trail: [],
    field: fieldOf(''),
    answers: {
      system: '',
      question,
      who: NOBODY,
      rounds: plan?.rounds ?? 0,
      stress: plan?.stress ?? {},
    },
  };
}

/**
 * Returns where keys go: to a list, or to a text. In an empty text field, `?` still opens the help.
 */
function placeOf({ step, field }: CastingState): 'list' | 'text' | 'blank' {
  if (!isField(step)) return 'list';
  return field.text === '' ? 'blank' : 'text';
}

/** Returns the number of choices at a step, or 0 if the step is a text field. */
function countChoices(step: Step, offer: CastingOffer): number {
  switch (step) {
    case 'cast':
      return offer.casts.length;
    case 'roles':
      return offer.roles.length + 1;
    case 'budget':
      return offer.budgets.length + 1;
    case 'stress':
    case 'pushback':
      return 2;
    default:
      return 0;
  }
}

/** Returns the screen's state after a key was pressed. */
export function handleKey(
  walk: CastingState,
  key: string,
  offer: CastingOffer,
  keymap: Keymap = KEYMAP,
): CastingState {
  const { note: _note, ...open } = walk;
  return pressIn<CastingState, 'walk'>(open, key, {
    keymap,
    scope: 'walk',
    place: placeOf(open),
    always: (now, command) =>
      command === 'leave' ? { ...now, effect: { kind: 'leave' } } : undefined,
    perform: (now, command, name) => {
      const count = countChoices(now.step, offer);
      const moveCursor = (by: number): CastingState =>
        count === 0 ? now : { ...now, cursor: (now.cursor + by + count) % count };
      switch (command) {
        case 'help':
          return withHelp(now);
        case 'back':
          return now.trail.length > 0
            ? goBack(now)
            : { ...now, note: `This is the first step; ${keyIn(keymap, 'walk', 'leave')} leaves.` };
        case 'accept':
          return acceptAnswer(now, offer);
        case 'down':
          return moveCursor(1);
        case 'up':
          return moveCursor(-1);
        case 'choose': {
          const cursor = keymap.walk.choose.keys.indexOf(key);
          return cursor < count ? acceptAnswer({ ...now, cursor }, offer) : now;
        }
        default:
          return isField(now.step) ? { ...now, field: typeKey(now.field, name) } : now;
      }
    },
  });
}

/** Returns the screen's state after text was pasted. Steps without a text field ignore the text. */
export function handlePaste(walk: CastingState, text: string): CastingState {
  const isTyped = isField(walk.step) && walk.over === undefined;
  return isTyped ? { ...walk, field: pasteText(walk.field, text) } : walk;
}

function goBack(walk: CastingState): CastingState {
  const last = walk.trail.at(-1);
  if (last === undefined) return walk;
  return arriveAt({ ...walk, trail: walk.trail.slice(0, -1) }, last);
}

/** Goes to the next step. Esc returns to the present one. */
function goTo(walk: CastingState, step: Step, cursor = 0): CastingState {
  const { step: from, cursor: at } = walk;
  return arriveAt(
    { ...walk, trail: [...walk.trail, { step: from, cursor: at }] },
    { step, cursor },
  );
}

function arriveAt(walk: CastingState, place: WalkStep): CastingState {
  const { answers, editing } = walk;
  const text = {
    system: answers.system,
    question: answers.question,
    who: editing === undefined ? '' : answers.who[editing],
    number: answers.rounds > 0 ? String(answers.rounds) : '',
  }[place.step as string];
  return { ...walk, ...place, field: fieldOf(text ?? '') };
}

function acceptAnswer(walk: CastingState, offer: CastingOffer): CastingState {
  const { step, answers, cursor } = walk;
  const text = walk.field.text.trim();
  const addNote = (note: string): CastingState => ({ ...walk, note });
  const mergeAnswers = (more: Partial<Answers>): CastingState => ({
    ...walk,
    answers: { ...answers, ...more },
  });
  switch (step) {
    case 'system': {
      const next = mergeAnswers({ system: text });
      return offer.question === undefined ? goTo(next, 'question') : toCast(next, offer);
    }
    case 'question':
      if (text === '') return addNote('Enter a question.');
      return toCast(mergeAnswers({ question: text }), offer);
    case 'cast': {
      const chosen = offer.casts[cursor];
      if (chosen === undefined) return addNote('There is no cast to choose.');
      // If the person chooses the same cast again, keep the changes to its roles.
      const next =
        chosen.slug === answers.from
          ? walk
          : mergeAnswers({ from: chosen.slug, who: { ...chosen.cast } });
      return goTo(next, 'roles', offer.roles.length);
    }
    case 'roles': {
      const role = offer.roles[cursor]?.id;
      if (role !== undefined) return goTo({ ...walk, editing: role }, 'who');
      return offer.plan === undefined
        ? goTo(walk, 'budget', defaultBudget(offer))
        : goTo(walk, 'review');
    }
    case 'who':
      if (text === '') return addNote('Choose who plays this role.');
      return walk.editing === undefined
        ? goBack(walk)
        : goBack(mergeAnswers({ who: { ...answers.who, [walk.editing]: text } }));
    case 'budget': {
      const rounds = offer.budgets[cursor]?.rounds;
      return rounds === undefined ? goTo(walk, 'number') : planRounds(walk, rounds, offer);
    }
    case 'number': {
      const rounds = Number(text);
      if (!Number.isInteger(rounds) || rounds < 1 || rounds > offer.most)
        return addNote(`A number from 1 to ${offer.most}.`);
      return planRounds(walk, rounds, offer);
    }
    case 'stress':
      return cursor === 0
        ? goTo(mergeAnswers({ stress: offer.stressFor(answers.rounds) }), 'review')
        : goTo(walk, 'pushback');
    case 'pushback':
      return cursor === 0
        ? goTo(mergeAnswers({ stress: offer.stressFor(answers.rounds) }), 'review')
        : goTo(mergeAnswers({ stress: {} }), 'review');
    case 'review':
      return { ...walk, effect: { kind: 'begin' } };
  }
}

/**
 * Goes to the list of casts, with the cursor on the one chosen before, or on the one that fits the
 * question.
 */
function toCast(walk: CastingState, { casts, neutral }: CastingOffer): CastingState {
  const { from, system, question } = walk.answers;
  const before = casts.findIndex(({ slug }) => slug === from);
  const at = before >= 0 ? before : findFittingCast(casts, `${system} ${question}`, neutral).at;
  return goTo(walk, 'cast', at);
}

function planRounds(walk: CastingState, rounds: number, offer: CastingOffer): CastingState {
  const stress = offer.stressFor(rounds);
  const next = { ...walk, answers: { ...walk.answers, rounds, stress } };
  return Object.keys(stress).length > 0 ? goTo(next, 'stress') : goTo(next, 'review');
}

/** Returns the index of the first number of rounds that the method recommends. */
function defaultBudget({ budgets, minimum }: CastingOffer): number {
  return Math.max(
    0,
    budgets.findIndex(({ rounds }) => rounds >= minimum),
  );
}
