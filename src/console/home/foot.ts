/** The lower rows of the home screen: what is said of the run to come, and the keys that mean something now. */
import { line } from '../../text/line.ts';
import { truncate } from '../../text/width.ts';
import { commandsIn, keyIn, keyLabel } from '../keys/key-lookup.ts';
import type { Keymap } from '../keys/keymap.ts';
import { isUnfinished } from '../model/runs.ts';
import { noticeRows } from '../run/notice.ts';
import { screenFooter } from '../run/sections/foot.ts';
import type { Theme } from '../terminal/theme.ts';
import { type Hints, hintWords } from '../ui/component.ts';
import type { HomeOffer } from './offer.ts';
import { hasFiles } from './save-panel.ts';
import { formRows, type Home, type Mode, placeOf, protocolOf, type SaveDraft } from './state.ts';

export interface HomeLook {
  readonly offer: HomeOffer;
  readonly theme: Theme;
  readonly keymap: Keymap;
  readonly columns: number;
  readonly rows: number;
  readonly now: number;
  readonly estimate?: string | undefined;
}

/** What was said last; else what a convening would take; while nothing is asked, what could not be read. */
export function statusRows(home: Home, { theme, columns, estimate, offer }: HomeLook): string[] {
  const noted = (text: string): string[] => noticeRows({ text, bad: false }, theme, columns);
  if (home.waiting)
    return noted('Looking for models; the run starts when they are found. Esc cancels.');
  if (home.notice !== undefined) return noticeRows(home.notice, theme, columns);
  if (home.mode.kind !== 'form') return [''];
  const [problem, ...others] = offer.problems;
  if (estimate === undefined && problem !== undefined)
    return noted(
      others.length === 0
        ? `not read: ${problem}`
        : `not read: ${problem} · and ${others.length} more: deliberate presets check`,
    );
  const said = estimate ?? 'Write a question; Enter starts the run with the seats below.';
  const named = protocolOf(home, offer).attaches ? home.mentioned.map(({ path }) => path) : [];
  const text = named.length === 0 ? said : `Will attach ${named.join(', ')} · ${said}`;
  return [theme.dim(truncate(` ${line(text)}`, columns))];
}

/** The keys that mean something now. */
export function footerRow(home: Home, look: HomeLook): string {
  return screenFooter(look.theme, footerItems(home, look), look.columns);
}

const HINTS: Readonly<Record<Exclude<Mode['kind'], 'form' | 'save'>, Hints>> = {
  pick: { accept: 'choose', 'previous next': 'other', cancel: 'back' },
  path: { accept: 'keep', Tab: 'complete', cancel: 'back' },
  brief: {
    accept: 'keep',
    'new-line': 'new line',
    'delete-to-start': 'clear line',
    cancel: 'back',
  },
  nothing: { accept: 'choose', 'previous next': 'other', cancel: 'back' },
  help: { 'previous next': 'scroll', cancel: 'back' },
};

function saveHints(home: Home, { taken, withFiles }: SaveDraft): Hints {
  if (taken !== undefined) return { accept: 'replace it', cancel: 'another name' };
  const files = withFiles ? 'without files' : 'with files';
  return { accept: 'save', ...(hasFiles(home) ? { Tab: files } : {}), cancel: 'back' };
}

function footerItems(home: Home, { offer, keymap }: HomeLook): string[] {
  if (home.mode.kind === 'save') return hintWords(keymap, saveHints(home, home.mode.draft));
  if (home.mode.kind !== 'form') return hintWords(keymap, HINTS[home.mode.kind]);
  const place = placeOf(home, offer);
  const run = formRows(home, offer)[home.at];
  const resting = run?.kind === 'run' ? home.recent?.[run.index] : undefined;
  const items = commandsIn(keymap, 'home').flatMap(([command, { keys, where, footer }]) => {
    if (footer === undefined || (where !== undefined && !where.includes(place))) return [];
    if (command === 'add' && protocolOf(home, offer).roles !== undefined) return [];
    if (command === 'resume' && (resting === undefined || !isUnfinished(resting))) return [];
    const word = command === 'change' && place === 'run' ? 'open' : footer;
    const item = `${keyLabel(keys[0] ?? '')} ${word}`;
    if (place !== 'box') return [item];
    // `?` is text once something is written.
    if (command === 'help') return [];
    return command === 'convene'
      ? [item, ...hintWords(keymap, { 'new-line': 'new line' })]
      : [item];
  });
  if (place !== 'box') return items;
  const help = keyIn(keymap, 'home', 'help');
  const first = home.question.text === '' ? help : `${keyIn(keymap, 'home', 'next')},${help}`;
  return [...items, `${first} help`, `${keyIn(keymap, 'home', 'interrupt')} quit`];
}
