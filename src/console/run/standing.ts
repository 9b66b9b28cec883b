/** The answers that keys are judged by, read off the run and off where the person reads. */

import type { Situation } from '../keys/situation.ts';
import type { Desk } from '../model/desk.ts';
import type { ProtocolView } from './protocol-view.ts';
import type { Reading } from './reading.ts';
import type { Page } from './tabs/page.ts';

interface Standing {
  readonly view: ProtocolView;
  readonly acting: boolean;
  readonly replaying: boolean;
  readonly tab: string;
  readonly tabs: readonly string[];
  readonly page: Page | undefined;
  readonly waits: boolean;
}

export function situationOf(desk: Desk, reading: Reading, standing: Standing): Situation {
  const { view, acting, replaying, tab, tabs, page, waits } = standing;
  const { focused, panes, search } = reading;
  const drafts = desk.draftsOf(desk.question);
  // A conclusion is not made of answers that could be more.
  const heard = Math.max(
    -1,
    ...drafts.map(({ done }) => (done?.conclusion ? -1 : (done?.included.length ?? -1))),
  );
  const { draft, atNewest } = reading;
  return {
    tab,
    acting,
    replaying,
    live: desk.sitting,
    stopping: desk.stopping,
    waits,
    // What covers the columns is no seat: keys that act on one wait.
    focus: page === undefined ? (focused?.kind ?? 'seat') : 'synthesis',
    focusSpeaks: focused?.voice.running ?? false,
    focusCanRetry: atNewest && (focused?.voice.canRetry ?? false),
    atNewest,
    atFirst: reading.question === 1,
    asking: desk.asking,
    answers: desk.answers,
    unfinished:
      desk.view.id !== '' && (desk.view.status !== 'done' || (heard >= 0 && desk.answers > heard)),
    panes: panes.length,
    columns: page === undefined ? desk.columns.length : 0,
    versions: desk.draftsOf(reading.question).length,
    questions: desk.questions.length,
    weighable: draft?.weighs === undefined && (draft?.done?.included.length ?? 0) > 1,
    votes: tabs.includes('vote'),
    tabs: tabs.length,
    matches: page === undefined ? (search?.count ?? 0) : page.match === undefined ? 0 : 1,
    lacks: view.lacks,
    suspected: view.holds.suspected?.(desk) ?? false,
    opens: page?.open !== undefined,
    retraces: page?.retrace !== undefined,
    filters: page?.filter !== undefined,
    finds: page === undefined || page.find !== undefined,
    zooms: page === undefined || page.zoom !== undefined,
    attached: desk.attachments.length > 0,
    thought: (focused?.voice.thinking.words ?? 0) > 0,
    hasText:
      page === undefined ? (focused?.voice.text.text ?? '') !== '' : page.passage !== undefined,
    steps: page === undefined ? panes.length > 1 : page.step !== undefined,
  };
}
