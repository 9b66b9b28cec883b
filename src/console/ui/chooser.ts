/** A list from which one thing is chosen, narrowed by what is typed. Pure. */
import { entryOf } from '../../kernel/entry.ts';
import { padEnd, textWidth, truncate } from '../../text/width.ts';
import { cleanLine } from '../terminal/door.ts';
import { edited } from '../terminal/keys.ts';
import type { Theme } from '../terminal/theme.ts';

export interface Item {
  readonly value: string;
  readonly label: string;
  /** What is said about it, after the label. */
  readonly note?: string;
}

export interface Chooser {
  readonly items: readonly Item[];
  readonly typed: string;
  readonly at: number;
}

/** Other people's words, cleaned; `value` where the cursor is to stand. */
export function chooserOf(items: readonly Item[], value?: string): Chooser {
  const clean = items.map((one) => ({
    ...one,
    label: cleanLine(one.label),
    ...(one.note === undefined ? {} : { note: cleanLine(one.note) }),
  }));
  return {
    items: clean,
    typed: '',
    at: Math.max(
      0,
      clean.findIndex((one) => one.value === value),
    ),
  };
}

/** Those that have every typed word; first those in which a part of the name begins with it. */
export function shownItems({ items, typed }: Chooser): readonly Item[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const begins = ({ label }: Item): boolean => {
    const parts = label.toLowerCase().split(/[\s/:]+/);
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  };
  const found = items.filter(({ label, note = '' }) => {
    const text = `${label} ${note}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return [...found.filter(begins), ...found.filter((one) => !begins(one))];
}

export function chosenItem(chooser: Chooser): Item | undefined {
  return shownItems(chooser)[chooser.at];
}

/** The list after a key: arrows move, letters narrow. */
export function narrowed(chooser: Chooser, key: string): Chooser {
  const count = shownItems(chooser).length;
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    'shift+tab': -1,
    down: 1,
    tab: 1,
    pageup: -10,
    pagedown: 10,
    home: -count,
    end: count,
  };
  const step = entryOf(steps, key);
  if (step !== undefined)
    return { ...chooser, at: Math.max(0, Math.min(chooser.at + step, count - 1)) };
  const typed = edited(chooser.typed, key);
  return typed === chooser.typed ? chooser : { ...chooser, typed, at: 0 };
}

/** The window of the list around the cursor. */
export function chooserRows(
  chooser: Chooser,
  { width, height, theme }: { width: number; height: number; theme: Theme },
): string[] {
  const items = shownItems(chooser);
  const most = Math.max(0, ...items.map(({ label }) => textWidth(label)));
  const first = Math.min(most, Math.max(12, Math.floor(width * 0.5)));
  const top = Math.max(0, Math.min(chooser.at - (height >> 1), items.length - height));
  return items.slice(top, top + height).map(({ label, note = '' }, index) => {
    const chosen = top + index === chooser.at;
    const name = note === '' ? label : padEnd(truncate(label, first), first);
    const text = padEnd(truncate(`${chosen ? '>' : ' '} ${name}  ${note}`, width), width);
    return chosen ? theme.inverse(text) : text;
  });
}
