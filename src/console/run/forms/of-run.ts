/** Makes the forms of a run for the place where the person is. */
import { countingPredictions, standingDecision } from '../../../decisions/fold.ts';
import { DeliberateError } from '../../../kernel/errors.ts';
import { keyOf } from '../../keys/key-lookup.ts';
import type { Keymap } from '../../keys/keymap.ts';
import { DECISIONS_PART } from '../../model/decisions.ts';
import type { RunModel } from '../../model/run-model.ts';
import { messageOf } from '../../terminal/door.ts';
import { Citing, findCitations, listAttachments } from '../../ui/citing.ts';
import type { Dialog } from '../../ui/component.ts';
import { ConfirmForm } from '../../ui/forms/confirm.ts';
import { ModelChoice, ModelForm } from '../../ui/forms/models.ts';
import { TextForm } from '../../ui/forms/text.ts';
import type { Copyable } from '../copyable.ts';
import type { Pane } from '../panes.ts';
import type { Actions } from '../ports.ts';
import type { ProtocolView } from '../protocol-view.ts';
import { draftIn, type FormAround, watchForAttempt } from './around.ts';
import { DecisionForm } from './decision.ts';
import { ResynthesisForm } from './resynthesis.ts';

/**
 * Creates the form that asks before leaving a live run. It closes by itself when the run has ended.
 *
 * @param confirmed called if the person confirms
 */
export function quitForm(runModel: RunModel, confirmed: () => void): Dialog {
  return new ConfirmForm({
    title: 'Quit?',
    text: 'The run stops; you can resume it.',
    confirmed,
    letters: { hints: { y: 'quit', n: 'stay' }, moot: () => !runModel.isLive },
  });
}

interface CitingAround {
  readonly keymap: Keymap;
  readonly view: Pick<ProtocolView, 'records'>;
  /** Goes to the record with that id. */
  readonly open: (id: string) => void;
}

/**
 * Creates the dialog that lists what a text cites: lines of attachments, and records such as
 * claims. Returns a sentence instead if the text cites nothing.
 *
 * @param text the text; undefined counts as a text that cites nothing; `all`: the dialog lists all
 *   attachments of the run instead
 */
export function citationsForm(
  text: Copyable | 'all' | undefined,
  runModel: RunModel,
  { keymap, view: { records }, open }: CitingAround,
): Dialog | string {
  const { attachments } = runModel;
  if (text === 'all') return new Citing(listAttachments(attachments), attachments, keymap, open);
  const { title = '', markdown = '' } = text ?? {};
  const named = records?.namedIn(markdown, runModel) ?? [];
  const cited = findCitations(title, markdown, attachments, named);
  if (cited !== undefined) return new Citing(cited, attachments, keymap, open);
  if (attachments.length === 0) return 'This text cites no record of the run.';
  const [question, again] = [keyOf(keymap, 'question'), keyOf(keymap, 'citations')];
  return `No attachment is cited here; press ${question}, then ${again}, for the attachments.`;
}

/** Creates the form in which a person writes a note to the seats or the synthesizer. */
export function noteForm(around: FormAround, view: ProtocolView): Dialog {
  const { runModel, actions, say } = around;
  const getReader = (): string => view.noteReader(runModel);
  return new TextForm({
    title: `Note for the ${getReader()}`,
    does: ['send', 'sends'],
    rows: 1,
    draft: draftIn(around, 'note'),
    send: (text) => {
      actions?.tell({ kind: 'note', text });
      // Decide only now who will read the note: while it was typed, the synthesis may have begun without it.
      say(`The ${getReader()} will see it.`);
    },
  });
}

/**
 * Creates the form in which a person adds a note to the run's iteration log, which says what the run
 * has taught about how to hold the next one. No model reads this log.
 */
export function iterationForm(around: FormAround): Dialog {
  const { actions, say } = around;
  return new TextForm({
    title: 'Iteration log',
    about:
      'What this run has taught about how to hold the next one. Kept with the run; no seat reads it.',
    does: ['add', 'adds it'],
    rows: 1,
    draft: draftIn(around, 'iteration'),
    send: (text) => {
      try {
        actions?.noteIteration(text);
        say('Added to the iteration log.');
      } catch (error) {
        say(messageOf(error));
      }
    },
  });
}

/**
 * Creates the form in which a person records a decision. Its text begins with the stored draft or, without
 * one, with the recommendation of the shown synthesis. The proposed day to look at the decision again is the
 * latest date of a prediction or, without predictions, 90 days from now.
 */
export function decisionForm(around: FormAround, view: ProtocolView): Dialog {
  const { runModel, reading, actions, say, changed } = around;
  const { synthesis } = reading;
  const kept = draftIn(around, 'decision');
  const decisions = runModel.read(DECISIONS_PART).view;
  const recommended = synthesis && view.lead(synthesis, runModel).sentence;
  const days = countingPredictions(decisions).map(({ date }) => date);
  return new DecisionForm({
    draft: kept.text === '' ? (recommended ?? '') : kept.text,
    options: view.options(runModel),
    review: days.sort().at(-1) ?? '90d',
    before: standingDecision(decisions)?.text,
    keep: kept.keep,
    changed,
    decide: async (wish) => {
      try {
        await actions?.decide(wish);
        say('The decision is recorded.');
        return undefined;
      } catch (error) {
        const next = error instanceof DeliberateError ? error.next : undefined;
        return [messageOf(error), next].filter(Boolean).join('. ');
      }
    },
  });
}

/** Shows the newest question and synthesis, and creates the form that requests another synthesis. */
export function resynthesisForm(
  { runModel, reading, actions, say, changed }: FormAround,
  view: ProtocolView,
): Dialog {
  reading.turnToNewest();
  const answered = runModel.columns.filter(({ stream }) => stream.phase.kind === 'done');
  return new ResynthesisForm({
    model: synthesizerOf(runModel),
    seats: !view.leavesOut ? [] : answered.map(({ seat, name }) => ({ id: seat.id, name })),
    choice: new ModelChoice(offersOf(actions), changed),
    start: (wanted) => {
      reading.turnToNewest();
      actions?.resynthesize(wanted);
      const { syntheses, attemptAt } = runModel.view;
      say(
        'Starting another synthesis.',
        ({ view, isLive }) =>
          view.syntheses.length > syntheses.length || (!isLive && view.attemptAt !== attemptAt),
      );
    },
  });
}

/**
 * Creates the form in which a person chooses another model for the focused seat, which is then asked
 * again. Returns undefined if no seat has the focus.
 */
export function modelForm(
  { runModel, actions, say, changed }: FormAround,
  focused: Pane | undefined,
): Dialog | undefined {
  if (focused?.kind !== 'seat') return undefined;
  const { seat, name } = focused.column;
  const choice = new ModelChoice(offersOf(actions), changed);
  return new ModelForm(`Ask ${name} again, with another model`, choice, (model) => {
    const begun = watchForAttempt(runModel);
    actions?.retrySeat(seat.id, model);
    say(`Asking ${name} again, with ${model}.`, begun);
  });
}

function offersOf(actions: Actions | undefined) {
  const models = actions?.models;
  return models === undefined ? undefined : () => models();
}

function synthesizerOf({ syntheses, view }: RunModel): string | undefined {
  const configured = view.config.synthesizer;
  if (typeof configured === 'string') return configured;
  return syntheses.at(-1)?.done?.model;
}
