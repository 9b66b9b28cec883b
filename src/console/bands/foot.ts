/** The last two rows: what just happened or where the run stands, and the keys that apply now. */
import { textWidth, truncate } from '../../text/width.ts';
import { cleanLine } from '../door.ts';
import { applies, commandsOf, type Keymap, keyLabel, type Situation } from '../keymap.ts';
import type { Scene } from '../scene.ts';

/** One line: the search being typed, a notice, a search's result, or how far the run is. */
export function statusRow(scene: Scene): string {
  const { viewer, theme, columns } = scene;
  const { mode, notice, search } = viewer;
  if (mode.kind === 'search') return searchLine(scene, mode.typed);
  if (notice !== undefined) {
    const text = truncate(cleanLine(notice.text), columns - 2);
    return ` ${notice.bad ? theme.tone('red', text) : theme.bold(text)}`;
  }
  if (search !== undefined && search.count > 0) {
    const which = `match ${search.at} of ${search.count} for "${cleanLine(search.query)}"`;
    return ` ${truncate(`${which} · n next · N previous · Esc ends the search`, columns - 2)}`;
  }
  return ` ${theme.dim(truncate(progress(scene), columns - 2))}`;
}

/** The keys, as many as fit; help and quit always. */
export function footerRow({ viewer, theme, columns }: Scene): string {
  const { mode } = viewer;
  if (mode.kind === 'search') return keys(theme, ['Enter search', 'Esc cancel'], columns);
  if (mode.kind === 'palette')
    return keys(theme, ['Enter run', 'Up Down choose', 'Esc back'], columns);
  return keys(theme, footerItems(viewer.around.keymap, viewer.situation, columns), columns);
}

/** `s stop`, `tab next column`, … that fit into `cells`, in the table's order. */
export function footerItems(keymap: Keymap, situation: Situation, cells: number): string[] {
  const all = commandsOf(keymap).flatMap(([command, binding]) =>
    binding.footer !== undefined && applies(keymap, command, situation)
      ? [{ command, item: `${keyLabel(binding.keys[0] ?? '')} ${binding.footer}` }]
      : [],
  );
  const kept = new Set(all.filter(({ command }) => command === 'help' || command === 'quit'));
  let room = cells - 1 - [...kept].reduce((sum, { item }) => sum + textWidth(item) + 2, 0);
  for (const one of all) {
    const taken = textWidth(one.item) + 2;
    if (kept.has(one) || taken > room) continue;
    kept.add(one);
    room -= taken;
  }
  return all.filter((one) => kept.has(one)).map(({ item }) => item);
}

function keys(theme: Scene['theme'], items: readonly string[], columns: number): string {
  let used = 1;
  const shown = items.filter((item) => {
    used += textWidth(item) + 2;
    return used - 2 <= columns;
  });
  const painted = shown.map((item) => {
    const [key = '', ...words] = item.split(' ');
    return `${theme.bold(key)} ${words.join(' ')}`;
  });
  return ` ${painted.join('  ')}`;
}

function searchLine({ theme, columns }: Scene, typed: string): string {
  // The end of what is typed stays in sight.
  const room = columns - 4;
  const glyphs = [...typed];
  while (textWidth(glyphs.join('')) > room) glyphs.shift();
  return ` /${glyphs.join('')}${theme.inverse(' ')}`;
}

/** Where the run stands and what comes next, in a sentence. */
function progress({ desk, viewer }: Scene): string {
  const { view, columns, answers, running } = desk;
  const acting = viewer.situation.acting;
  const writing = desk.drafts.find(({ voice }) => voice.running);
  if (view.gate !== undefined && !acting)
    return `The run waits for an answer at its own terminal: ${cleanLine(view.gate.prompt)}`;
  if (desk.stopping) return 'Stopping what still runs.';
  if (desk.sitting) {
    if (writing !== undefined) return `The synthesizer is writing version ${writing.version}.`;
    if (running === 0) return 'Between two steps.';
    return `${answers} of ${columns.length} seats have answered; ${running} ${running === 1 ? 'is' : 'are'} being asked.`;
  }
  const reason = view.reason === undefined ? '' : `: ${cleanLine(view.reason)}`;
  switch (view.status) {
    case 'stopped':
      return `Stopped${reason}. Everything said so far is kept.`;
    case 'failed':
      return `Failed${reason}.`;
    default:
      return `Done: ${answers} of ${columns.length} seats answered.`;
  }
}
