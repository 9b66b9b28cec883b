/** The dialogs of a run, as they are opened where the person stands. */

import { stressChoices } from '../../../protocols/rounds/view/stress.ts';
import { StressForm } from '../../../protocols/rounds/view/stress-form.ts';
import { plural } from '../../../protocols/rounds/view/wording.ts';
import type { Desk } from '../../model/desk.ts';
import type { Actions } from '../../replay/ports.ts';
import { AskForm } from '../../ui/forms/ask.ts';
import { ConfirmForm } from '../../ui/forms/confirm.ts';
import type { Form } from '../../ui/forms/form.ts';
import { ModelChoice, ModelForm } from '../../ui/forms/models.ts';
import { NoteForm } from '../../ui/forms/note.ts';
import type { Reading } from '../reading.ts';
import { ResynthesisForm } from './resynthesis.ts';

/** What the forms are about, and how they tell what came of them. */
export interface FormAround {
  readonly desk: Desk;
  readonly reading: Reading;
  readonly actions: Actions | undefined;
  /** Tells the person something; until then, where the run's going on makes it stale. */
  readonly say: (text: string, until?: (desk: Desk) => boolean) => void;
  readonly changed: () => void;
}

export function noteForm({ desk, actions, say }: FormAround): Form {
  const reader = (): string => {
    if (desk.inRounds) return 'next round';
    return desk.drafting ? 'next synthesis' : 'synthesis';
  };
  return new NoteForm(`the ${reader()}`, (text) => {
    actions?.tell({ kind: 'note', text });
    // What it was meant for may have begun while it was written.
    say(`The ${reader()} will see it.`);
  });
}

export function stressForm({ desk, actions, say }: FormAround): Form {
  return new StressForm(stressChoices(desk), ({ absent, words }) => {
    actions?.tell({ kind: 'stress', absent });
    say(`The next round is held ${words}.`);
  });
}

export function resynthesisForm({ desk, reading, actions, say, changed }: FormAround): Form {
  reading.turnToNewest();
  const answered = desk.columns.filter(({ voice }) => voice.phase.kind === 'done');
  return new ResynthesisForm({
    model: synthesizerOf(desk),
    seats: desk.inRounds ? [] : answered.map(({ seat, name }) => ({ id: seat.id, name })),
    choice: new ModelChoice(offersOf(actions), changed),
    start: (wanted) => {
      reading.turnToNewest();
      actions?.resynthesize(wanted);
      const { syntheses, sittingAt } = desk.view;
      say(
        'Another synthesis begins.',
        ({ view, sitting }) =>
          view.syntheses.length > syntheses.length || (!sitting && view.sittingAt !== sittingAt),
      );
    },
  });
}

/** Undefined where the synthesis shown is none that could be weighed. */
export function weighForm({ desk, reading, actions, say }: FormAround): Form | undefined {
  const { draft } = reading;
  if (draft?.done === undefined) return undefined;
  const { version } = draft;
  const count = draft.done.included.length;
  const text = `v${version} is written again without each of its ${plural(count, 'seat')}, and once more with all of them: what changes then is chance.\nEach is compared with v${version}. That is up to ${2 * (count + 1)} calls.`;
  return new ConfirmForm('Weigh: what each seat carries', text, () => {
    const begun = anotherSitting(desk);
    actions?.weigh(version);
    say(`Weighing v${version}.`, begun);
  });
}

export function askForm({ desk, reading, actions, say }: FormAround): Form {
  return new AskForm((question) => {
    reading.turnToNewest();
    const begun = anotherSitting(desk);
    actions?.followUp(question);
    say('The seats are asked.', begun);
  });
}

/** Undefined where no seat has the focus. */
export function modelForm({ desk, reading, actions, say, changed }: FormAround): Form | undefined {
  const { focused } = reading;
  if (focused?.kind !== 'seat') return undefined;
  const { seat, name } = focused.column;
  const choice = new ModelChoice(offersOf(actions), changed);
  return new ModelForm(`Ask ${name} again, with another model`, choice, (model) => {
    const begun = anotherSitting(desk);
    actions?.retrySeat(seat.id, model);
    say(`Asking ${name} again, with ${model}.`, begun);
  });
}

/** What is about to be asked for has begun: the run itself says where it stands. Made before it is asked for. */
function anotherSitting({ view: { sittingAt } }: Desk): (desk: Desk) => boolean {
  return ({ view }) => view.sittingAt !== sittingAt;
}

function offersOf(actions: Actions | undefined) {
  const models = actions?.models;
  return models === undefined ? undefined : () => models();
}

function synthesizerOf({ drafts, view }: Desk): string | undefined {
  const configured = view.config.synthesizer;
  if (typeof configured === 'string') return configured;
  return drafts.at(-1)?.done?.model;
}
