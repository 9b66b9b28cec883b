/** Draws the home screen. */
import { hasSpecForm } from '../../kernel/providers/spec.ts';
import { toLine } from '../../text/line.ts';
import { padEnd, truncateLine } from '../../text/width.ts';
import { wrapPlain } from '../../text/wrap.ts';
import { commandsIn, keyIn, keyLabel } from '../keys/key-lookup.ts';
import type { Keymap } from '../keys/keymap.ts';
import { formatRunLine, isUnfinished } from '../model/runs.ts';
import { noticeRows, type ShellLook, shellPage } from '../shell/page.ts';
import { formatHints, type Hints } from '../ui/component.ts';
import { drawItemInFull, filterItems, type List, listRows, windowRows } from '../ui/list.ts';
import { areaRows, fieldOf, fieldRow } from '../ui/text-input.ts';
import { boxCells, brandRow, MARGIN, questionRows, widthOf } from './head.ts';
import { helpLines } from './help.ts';
import type { HomeOffer } from './offer.ts';
import { pickTitle } from './picks.ts';
import { hasFiles } from './save-panel.ts';
import { haveSameSeats } from './seats.ts';
import {
  chosenPreset,
  type FormRow,
  formRows,
  getHomePlace,
  type Home,
  type Mode,
  protocolOf,
  rolesOf,
  runRequest,
  type SaveDraft,
  seatsOf,
} from './state.ts';

interface HomeLook extends ShellLook {
  readonly offer: HomeOffer;
  readonly estimate?: string | undefined;
}

/** The width of a line's name, in cells. */
const NAME = 13;

/** Draws the home screen as exactly `look.rows` rows. */
export function homePage(home: Home, look: HomeLook): string[] {
  const { columns, theme, keymap } = look;
  return shellPage(home, look, {
    head: [brandRow(home.rehearse, theme, columns, home.due), ''],
    body: (height) => bodyOf(home, look, height),
    help: () => helpLines(keymap, theme, columns),
    margin: MARGIN,
    status: statusRows(home, look),
    keys: () => footerItems(home, look),
  });
}

/** The text above the path line, by what the path is for. */
const PATHS = {
  attach: {
    title: 'Attach which file or web page?',
    about:
      'A path, or an address such as https://example.com/page. Every seat reads its text and can cite the lines.',
  },
  'look-into': {
    title: 'Which folder can seats read?',
    about:
      'Seats can list, search and read its files and git history, read-only. Files that git ignores or that look like secrets stay hidden. NAME=PATH gives the folder a name.',
  },
} as const;

function bodyOf(home: Home, look: HomeLook, height: number): string[] {
  const { mode } = home;
  const { theme, columns } = look;
  const width = widthOf(columns);
  switch (mode.kind) {
    case 'form':
      return drawForm(home, look, height);
    case 'pick':
      return pickRows(home, mode, look, height);
    case 'path': {
      const { title, about } = PATHS[mode.then];
      return [
        theme.bold(title),
        '',
        ...wrapPlain(about, width),
        '',
        fieldRow(mode.field, width, theme),
        ...(mode.names.length === 0 ? [] : ['']),
        ...wrapPlain(mode.names.map(toLine).join('  '), width).map((row) => theme.dim(row)),
      ];
    }
    case 'brief': {
      const { rows } = areaRows(mode.area, {
        cells: boxCells(columns),
        height: Math.max(3, height - 4),
        theme,
        focus: true,
      });
      const seat = seatsOf(home, look.offer)[mode.seat];
      const name = rolesOf(home, look.offer).find(({ slug }) => slug === seat?.role)?.name;
      return [
        theme.bold(truncateLine(`Instructions for the ${toLine(name ?? 'seat')}`, width)),
        theme.dim("For this run only; leave empty for the role's default."),
        '',
        ...rows.map((row) => `> ${row}`),
      ];
    }
    case 'save':
      return saveFormRows(home, mode.draft, look);
    case 'nothing':
      return modelsPage(home, mode.list, look, height);
  }
}

function drawForm(home: Home, look: HomeLook, height: number): string[] {
  const { offer, theme, columns } = look;
  const width = widthOf(columns);
  const spots = formRows(home, offer);
  const lines: string[] = [];
  let cursor = 0;
  for (const [index, spot] of spots.entries()) {
    if (spot.kind === 'question') continue;
    const isFirstRun = spot.kind === 'run' && spot.index === 0;
    const isAll = spot.kind === 'all' && (home.recent?.length ?? 0) === 0;
    if (spot.kind === 'protocol' || isFirstRun || isAll) lines.push('');
    if (index === home.at) cursor = lines.length;
    const text = padEnd(truncateLine(drawRow(home, spot, look), width), width);
    lines.push(index === home.at ? theme.inverse(text) : text);
  }
  const [most, focus] = [
    height - 3 - Math.min(lines.length, 14),
    spots[home.at]?.kind === 'question',
  ];
  const top = questionRows(home.question, { theme, columns, most, rows: look.rows, focus });
  const room = Math.max(1, height - top.length);
  const seen = { at: cursor, count: lines.length, width, height: room, theme };
  return [...top, ...windowRows(seen, (index) => lines[index] ?? '')];
}

/** Draws a line of the form: its name, and what is chosen. */
function drawRow(home: Home, spot: FormRow, look: HomeLook): string {
  const { offer, columns, keymap, now } = look;
  const formatRow = (name: string, text: string): string => `${padEnd(name, NAME)}${toLine(text)}`;
  const what = runRequest(home, offer);
  switch (spot.kind) {
    case 'question':
      return '';
    case 'protocol': {
      const { title, about } = protocolOf(home, offer);
      return formatRow('Protocol', `${title}: ${about}`);
    }
    case 'preset': {
      const preset = chosenPreset(home, offer);
      return formatRow(
        protocolOf(home, offer).panel?.title ?? '',
        preset === undefined
          ? 'your own'
          : `${preset.name}${haveSameSeats(preset.seats, seatsOf(home, offer)) ? '' : ', changed'}: ${preset.about}`,
      );
    }
    case 'seat':
      return (
        padEnd(spot.index === 0 ? (protocolOf(home, offer).one ?? 'Seats') : '', NAME) +
        seatWords(home, spot.index, look)
      );
    case 'add':
      return formatRow('', '+ a seat');
    case 'save':
      return formatRow('', 'save these seats as a panel…');
    case 'chair':
      return formatRow(
        protocolOf(home, offer).chair,
        home.rehearse ? 'the stand-in' : modelWords(home, home.choices.chair, what.chair),
      );
    case 'models':
      return formatRow('Models', modelsLine(home, keymap));
    case 'rehearse':
      return formatRow(
        'Rehearsal',
        home.rehearse ? 'on: built-in stand-in (placeholder text, no API calls)' : 'off',
      );
    case 'file': {
      const file = home.attachments[spot.index];
      return formatRow(
        spot.index === 0 ? 'Files' : '',
        `${file?.path ?? ''} · ${file?.note ?? ''}`,
      );
    }
    case 'attach':
      return formatRow(home.attachments.length === 0 ? 'Files' : '', '+ attach a file');
    case 'folder': {
      const folder = home.look[spot.index];
      const name = spot.index === 0 ? 'Folders' : '';
      return formatRow(name, `${folder?.name ?? ''}  ${folder?.path ?? ''}`);
    }
    case 'look':
      return formatRow(home.look.length === 0 ? 'Folders' : '', '+ add a folder for seats to read');
    case 'server': {
      const { name = '', about = '' } = offer.toolServers[spot.index] ?? {};
      const mark = what.tools.includes(name) ? '[x]' : '[ ]';
      return formatRow(spot.index === 0 ? 'Tools' : '', `${mark} ${name} (${about})`);
    }
    case 'run': {
      const run = home.recent?.[spot.index];
      const name = padEnd(spot.index === 0 ? 'Recent' : '', NAME);
      return run === undefined ? '' : name + formatRunLine(run, widthOf(columns) - NAME, now);
    }
    case 'all':
      if (home.recent === undefined) return formatRow('Recent', '…');
      return home.recent.length === 0
        ? formatRow('Recent', 'no runs yet')
        : formatRow('', 'all runs …');
  }
}

function seatWords(home: Home, index: number, { offer, columns }: HomeLook): string {
  const seat = seatsOf(home, offer)[index];
  const role = rolesOf(home, offer).find(({ slug }) => slug === seat?.role);
  const resolved = runRequest(home, offer).seats[index]?.model;
  const model = home.rehearse ? 'the stand-in' : modelWords(home, seat?.model, resolved);
  const own = seat?.brief === undefined ? '' : '  custom instructions';
  if (protocolOf(home, offer).one !== undefined)
    return `${toLine(role?.name ?? 'none found')}  ${toLine(role?.about ?? '')}`;
  const name = padEnd(truncateLine(toLine(role?.name ?? seat?.role ?? ''), 18), 18);
  const about = columns < 100 || own !== '' ? '' : `  ${toLine(role?.about ?? '')}`;
  return `${name}  ${padEnd(toLine(model), about === '' ? 0 : 34)}${own}${about}`;
}

/** Returns the chosen model, or the one that will be used. */
function modelWords(home: Home, chosen: string | undefined, resolved: string | undefined): string {
  const known = home.found?.models.some(({ spec }) => spec === chosen) ?? true;
  if (chosen !== undefined) return known ? chosen : `${chosen}  (not found now)`;
  return resolved ?? (home.found === undefined ? 'looking …' : 'no model');
}

function modelsLine({ found, rehearse }: Home, keymap: Keymap): string {
  if (found === undefined) return 'looking for models …';
  const { models } = found;
  if (models.length === 0 && rehearse) return 'none found; the stand-in is on';
  if (models.length === 0)
    return `none found; ${keyIn(keymap, 'home', 'examples')} plays an example, or turn Rehearsal on`;
  const providers = [...new Set(models.map(({ spec }) => spec.split('/')[0] ?? ''))];
  return `${models.length} found: ${providers.join(', ')}`;
}

function pickRows(
  home: Home,
  { pick, list }: Extract<Mode, { kind: 'pick' }>,
  { theme, columns, offer }: HomeLook,
  height: number,
): string[] {
  const width = widthOf(columns);
  const title = theme.bold(truncateLine(toLine(pickTitle(home, pick, offer)), width));
  const isModel = pick.what === 'model' || pick.what === 'chair';
  const hint = isModel ? 'type to filter, or enter PROVIDER/MODEL' : 'type to filter';
  const field = fieldRow(list.filter ?? fieldOf(''), width, theme, { mark: '/ ', hint });
  const note =
    isModel && home.found === undefined
      ? ['', theme.dim('Looking for models …')]
      : filterItems(list).length === 0
        ? ['', theme.dim(isModel ? noModelWords(list.filter?.text.trim() ?? '') : 'No match.')]
        : [];
  const whole = drawItemInFull(list, width);
  // Show the full text of the chosen item below the list if the list does not need the rows.
  const isRoomy = filterItems(list).length + whole.length + 4 <= height && whole.length > 0;
  const below = isRoomy ? ['', ...whole.map((row) => theme.dim(row))] : [];
  const most = Math.max(1, height - 3 - note.length - below.length);
  const rows = listRows(list, { width, height: most, theme });
  return [title, field, '', ...rows, ...note, ...below];
}

/** Returns the note if no model matches. Enter takes a typed name only if it has the form PROVIDER/MODEL. */
function noModelWords(typed: string): string {
  return hasSpecForm(typed)
    ? 'No match; Enter uses the name as typed.'
    : 'No match; a name of your own is PROVIDER/MODEL.';
}

/** Draws the form in which a panel is named, with what is stored of it. */
function saveFormRows(home: Home, draft: SaveDraft, { offer, theme, columns }: HomeLook): string[] {
  const width = widthOf(columns);
  const seats = seatsOf(home, offer).map(({ role }) => roleName(home, offer, role));
  const files = [...home.attachments, ...home.look].map(({ path }) => path);
  const wrapText = (text: string): string[] => wrapPlain(toLine(text), width);
  return [
    theme.bold('Save these seats as a panel under which name?'),
    '',
    ...wrapText(`Seats: ${seats.join(', ')}, with their models and instructions as shown.`),
    ...(files.length === 0
      ? []
      : wrapText(`Files and folders${draft.withFiles ? '' : ' (left out)'}: ${files.join(', ')}`)),
    '',
    fieldRow(draft.name, width, theme),
    ...(draft.taken === undefined ? [] : ['', ...wrapText(draft.taken)]),
  ];
}

function roleName(home: Home, offer: HomeOffer, slug: string): string {
  return rolesOf(home, offer).find((role) => role.slug === slug)?.name ?? slug;
}

/** Draws where models were looked for, and the choices to continue. */
function modelsPage(
  home: Home,
  list: List,
  { theme, columns, keymap }: HomeLook,
  height: number,
): string[] {
  const width = widthOf(columns);
  const { models, looked } = home.found ?? { models: [], looked: [] };
  const ways = listRows(list, { width, height: list.items.length, theme });
  const advice =
    models.length > 0
      ? []
      : [
          '',
          ...wrapPlain(
            'Start a model server (Ollama: "ollama serve", then "ollama pull qwen3:8b"), or set ANTHROPIC_API_KEY or OPENAI_API_KEY, and look again.',
            width,
          ),
        ];
  const example = keyIn(keymap, 'home', 'examples');
  const about = [
    ...(models.length === 0
      ? [
          theme.bold('No model was found.'),
          ...wrapPlain(`${example} plays an example; Rehearsal runs without a model.`, width),
          '',
          theme.bold('Looked for:'),
        ]
      : [theme.bold(`${models.length} models. Looked for:`)]),
    '',
    ...looked.flatMap((place) => wrapPlain(toLine(place), width - 2).map((row) => `  ${row}`)),
    ...advice,
  ];
  return [...about.slice(0, Math.max(2, height - ways.length - 1)), '', ...ways];
}

/** Draws the estimate of the run; while there is no question, problems of files. */
function statusRows(home: Home, look: HomeLook): string[] {
  const { theme, columns, estimate, offer, keymap } = look;
  const formatNotice = (text: string): string[] => noticeRows({ text, bad: false }, theme, columns);
  if (home.waiting)
    return formatNotice(
      `Looking for models; the run starts when they are found${home.mode.kind === 'form' ? '. Esc cancels.' : ', if nothing else is open then.'}`,
    );
  if (home.mode.kind !== 'form' || home.over !== undefined) return [''];
  const [problem, ...others] = offer.problems;
  if (estimate === undefined && problem !== undefined)
    return formatNotice(
      others.length === 0
        ? `not read: ${problem}`
        : `not read: ${problem} · and ${others.length} more: deliberate presets check`,
    );
  const said =
    estimate ??
    (getHomePlace(home, offer) === 'box'
      ? `Write a question; ${keyIn(keymap, 'home', 'convene')} then starts the run.`
      : `There is no question yet; once there is one, ${keyIn(keymap, 'home', 'convene-from-here')} starts the run.`);
  const named = protocolOf(home, offer).attaches ? home.mentioned.map(({ path }) => path) : [];
  const text = named.length === 0 ? said : `Will attach ${named.join(', ')} · ${said}`;
  // Show at most two rows of the estimate or hint, because the form above needs the other rows.
  const rows = wrapPlain(toLine(text), columns - 2).slice(0, 2);
  return rows.map((row) => ` ${theme.dim(row)}`);
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
};

function saveHints(home: Home, { taken, withFiles }: SaveDraft): Hints {
  if (taken !== undefined) return { accept: 'replace it', cancel: 'another name' };
  const files = withFiles ? 'without files' : 'with files';
  return { accept: 'save', ...(hasFiles(home) ? { Tab: files } : {}), cancel: 'back' };
}

function footerItems(home: Home, { offer, keymap }: HomeLook): string[] {
  if (home.mode.kind === 'save') return formatHints(keymap, saveHints(home, home.mode.draft));
  if (home.mode.kind !== 'form') return formatHints(keymap, HINTS[home.mode.kind]);
  const place = getHomePlace(home, offer);
  const run = formRows(home, offer)[home.at];
  const resting = run?.kind === 'run' ? home.recent?.[run.index] : undefined;
  const items = commandsIn(keymap, 'home').flatMap(([command, { keys, where, footer }]) => {
    if (footer === undefined || (where !== undefined && !where.includes(place))) return [];
    if (command === 'add' && protocolOf(home, offer).roles !== undefined) return [];
    if (command === 'resume' && (resting === undefined || !isUnfinished(resting))) return [];
    const word = command === 'change' && place === 'run' ? 'open' : footer;
    const item = `${keyLabel(keys[0] ?? '')} ${word}`;
    if (place !== 'box') return [item];
    // The help's item is added below: in a question's box that is not empty, the key `?` types a question mark.
    if (command === 'help') return [];
    return command === 'convene'
      ? [item, ...formatHints(keymap, { 'new-line': 'new line' })]
      : [item];
  });
  if (place !== 'box') return items;
  const help = keyIn(keymap, 'home', 'help');
  const first = home.question.text === '' ? help : `${keyIn(keymap, 'home', 'next')},${help}`;
  return [...items, `${first} help`, `${keyIn(keymap, 'home', 'interrupt')} quit`];
}
