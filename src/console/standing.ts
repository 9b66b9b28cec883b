/** The answers that keys are judged by, read off the run and off where the person reads. */
import type { Desk } from './desk.ts';
import type { Reading } from './reading.ts';
import type { Situation } from './situation.ts';
import type { Page } from './tabs/page.ts';
import type { TabId } from './tabs/table.ts';

interface Standing {
  readonly acting: boolean;
  readonly replaying: boolean;
  readonly tab: TabId;
  readonly tabs: number;
  readonly page: Page | undefined;
}

export function situationOf(desk: Desk, reading: Reading, standing: Standing): Situation {
  const { acting, replaying, tab, tabs, page } = standing;
  const { focused, panes, search } = reading;
  const heard = Math.max(-1, ...desk.drafts.map(({ done }) => done?.included.length ?? -1));
  return {
    tab,
    acting,
    replaying,
    live: desk.sitting,
    stopping: desk.stopping,
    focus: focused?.kind ?? 'seat',
    focusSpeaks: focused?.voice.running ?? false,
    focusCanRetry: focused?.voice.canRetry ?? false,
    asking: desk.running > 0,
    answers: desk.answers,
    unfinished:
      desk.view.id !== '' && (desk.view.status !== 'done' || (heard >= 0 && desk.answers > heard)),
    panes: panes.length,
    columns: desk.columns.length,
    versions: desk.drafts.length,
    tabs,
    matches: page === undefined ? (search?.count ?? 0) : page.match === undefined ? 0 : 1,
    rounds: desk.inRounds,
    heeds: !desk.ofAgents,
    suspected: desk.suspicions.length > 0,
    opens: page?.open !== undefined,
    retraces: page?.retrace !== undefined,
    filters: page?.filter !== undefined,
    finds: page === undefined || page.find !== undefined,
    zooms: page === undefined || page.zoom !== undefined,
    attached: desk.attachments.length > 0,
    thought: (focused?.voice.thinking.words ?? 0) > 0,
    hasText:
      page === undefined ? (focused?.voice.text.text ?? '') !== '' : page.passage !== undefined,
  };
}
