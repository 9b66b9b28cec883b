/** The key table and what is made of it. */

import { describe, expect, test } from 'vitest';
import { historyPage } from '../../src/console/history/page.ts';
import { beginHistory, press, withRuns } from '../../src/console/history/state.ts';
import { hasEffect } from '../../src/console/keys/conditions.ts';
import {
  commandFor,
  commandIn,
  commandsIn,
  commandsOf,
  dialogKey,
  keyLabel,
  keymapOf,
  rebindKeys,
} from '../../src/console/keys/key-lookup.ts';
import { keyTableMarkdown } from '../../src/console/keys/key-table.ts';
import { type Command, KEYMAP } from '../../src/console/keys/keymap.ts';
import { footerItems } from '../../src/console/run/sections/foot.ts';
import { fitItems } from '../../src/console/shell/page.ts';
import { keysOf } from '../../src/console/terminal/keys.ts';
import { Theme } from '../../src/console/terminal/theme.ts';
import { UsageError } from '../../src/kernel/errors.ts';
import { DONE, type KeySituation, LIVE, makeKeyState } from './key-state.ts';
import { board, rounds } from './views.ts';

function listCommands(looking: KeySituation): Command[] {
  return commandsOf(KEYMAP)
    .map(([command]) => command)
    .filter((command) => hasEffect(KEYMAP, command, makeKeyState(looking)));
}

describe('the keymap of a run’s screen', () => {
  test('gives each key only one command', () => {
    const keys = commandsOf(KEYMAP).flatMap(([, binding]) => binding.keys);
    expect(new Set(keys).size).toBe(keys.length);
    for (const [command, { keys: own }] of commandsOf(KEYMAP))
      for (const key of own) expect(commandFor(KEYMAP, key)).toBe(command);
  });

  test('allows the keys that stop something only for a live run of this process', () => {
    expect(listCommands(LIVE)).toContain('stop');
    expect(listCommands(LIVE)).toContain('stop-seat');
    expect(listCommands({ ...LIVE, stopping: true })).not.toContain('stop');
    expect(listCommands(DONE)).not.toContain('stop');
    expect(listCommands(DONE)).not.toContain('stop-seat');
    const watching = listCommands({ ...LIVE, acting: false });
    for (const command of ['stop', 'stop-seat', 'retry-seat', 'resume', 'export'] as const)
      expect(watching).not.toContain(command);
  });

  test('allows another model, a further question and an ablation only on a finished board of this process, except another model for a failed seat', () => {
    const canAblate = { ...DONE, canAblate: true };
    const acts = ['change-model', 'follow-up', 'weigh'] as const;
    for (const command of acts) {
      expect(listCommands(canAblate)).toContain(command);
      expect(listCommands({ ...canAblate, acting: false })).not.toContain(command);
      expect(listCommands({ ...canAblate, live: true })).not.toContain(command);
      expect(listCommands({ ...canAblate, view: { ...board, lacks: rounds.lacks } })).not.toContain(
        command,
      );
    }
    // While other seats still answer, a failed seat can already get another model.
    const failed = { ...LIVE, focusSpeaks: false, focusCanRetry: true };
    expect(listCommands(failed)).toContain('change-model');
    expect(listCommands({ ...failed, asking: false })).not.toContain('change-model');
    expect(listCommands({ ...DONE, atNewest: false })).not.toContain('change-model');
  });

  test('allows the key for the earlier question only if there is an earlier question', () => {
    const second = { ...DONE, questions: 2, atFirst: false };
    expect(listCommands(second)).toContain('previous-question');
    expect(listCommands(second)).not.toContain('next-question');
    expect(listCommands({ ...second, atFirst: true, atNewest: false })).toContain('next-question');
    expect(listCommands(DONE)).not.toContain('previous-question');
  });

  test('allows the key for another synthesis only after a run that has answers', () => {
    expect(listCommands(DONE)).toContain('resynthesize');
    expect(listCommands({ ...DONE, answers: 0 })).not.toContain('resynthesize');
    expect(listCommands(LIVE)).not.toContain('resynthesize');
  });

  test('allows the key that asks a failed seat again, except while a synthesis is written', () => {
    const failed = { ...LIVE, focusSpeaks: false, focusCanRetry: true };
    expect(listCommands(failed)).toContain('retry-seat');
    expect(listCommands({ ...failed, asking: false })).not.toContain('retry-seat');
    expect(listCommands({ ...failed, asking: false, live: false })).toContain('retry-seat');
    expect(listCommands({ ...failed, focus: 'synthesis' })).not.toContain('retry-seat');
  });

  test('allows the keys for tabs, and for versions of the synthesis, only if there are several', () => {
    expect(listCommands(DONE)).not.toContain('tab');
    expect(listCommands({ ...DONE, tabs: 2 })).toContain('tab');
    expect(listCommands(DONE)).not.toContain('next-version');
    expect(listCommands({ ...DONE, versions: 2 })).toContain('next-version');
  });

  test('is formatted as a Markdown table with every command', () => {
    const table = keyTableMarkdown(KEYMAP);
    const scopes = ['home', 'history', 'walk', 'dialogs'] as const;
    const others = scopes.flatMap((scope) => commandsIn<typeof scope>(KEYMAP, scope));
    for (const [, { description, keys }] of [...commandsOf(KEYMAP), ...others]) {
      expect(table).toContain(description);
      // Escape vertical bars as the table does: a bar ends a cell, even inside code.
      for (const key of keys) expect(table).toContain(`\`${keyLabel(key).replace('|', '\\|')}\``);
    }
    const [head = '', ...rows] = table.trim().split('\n');
    const countCells = (row: string) => row.split(/(?<!\\)\|/).length;
    expect(rows.filter((row) => countCells(row) !== countCells(head))).toEqual([]);
    expect(table.split('\n')[2]).toBe(
      '| `s` | Stop the run; answers so far are kept | while the run is live |',
    );
  });
});

describe('keys that a person has configured', () => {
  test('replace the built-in keys of a command, and no others', () => {
    const keymap = rebindKeys(KEYMAP, { stop: 'h', zoom: ['Z', 'ctrl+o'] });
    if (keymap instanceof Error) throw keymap;
    expect(commandFor(keymap, 'h')).toBe('stop');
    expect(commandFor(keymap, 's')).toBeUndefined();
    expect(commandFor(keymap, 'ctrl+o')).toBe('zoom');
    expect(commandFor(keymap, 'q')).toBe('quit');
    expect(commandFor(KEYMAP, 's')).toBe('stop');
  });

  test('may swap the keys of two commands', () => {
    const keymap = rebindKeys(KEYMAP, { stop: 'S', 'stop-seat': 's' });
    if (keymap instanceof Error) throw keymap;
    expect(commandFor(keymap, 's')).toBe('stop-seat');
    expect(commandFor(keymap, 'S')).toBe('stop');
  });

  test.each([
    [{ halt: 'x' }, 'unknown command "halt"'],
    [{ constructor: 'x' }, 'unknown command "constructor"'],
    [{ stop: 'ctrl+alt+x' }, '"ctrl+alt+x" for "stop" is not a key'],
    [{ stop: [] }, '"" for "stop" is not a key'],
    [{ stop: 'q' }, '"q" would mean both "stop" and "quit"'],
    [{ 'history.halt': 'x' }, 'unknown command "history.halt"'],
    [{ 'home.constructor': 'x' }, 'unknown command "home.constructor"'],
    [{ 'home.brief': 'r' }, '"r" would mean both "home.role" and "home.brief"'],
    [{ 'history.fork': 'e' }, '"e" would mean both "history.export" and "history.fork"'],
    [{ 'dialogs.undo': 'z' }, '"z" for "dialogs.undo" would block typing that letter'],
    [{ 'dialogs.next': 'space' }, '"space" for "dialogs.next" would block typing that letter'],
    [{ 'home.editor': 'e' }, '"e" for "home.editor" would block typing that letter'],
    [{ 'walk.back': 'b' }, '"b" for "walk.back" would block typing that letter'],
  ])('are refused if they are %j: %s', (overrides, sentence) => {
    const error = rebindKeys(KEYMAP, overrides);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toBe(`keys: ${sentence}`);
    expect((error as UsageError).next).toBeTruthy();
  });
});

describe('keys that a person has configured for the home screen, the history or dialogs', () => {
  test('may be the same for a command of the home screen, one of the history and one of a run’s screen', () => {
    // By default, the home screen's key `r` has one meaning on a seat and another on a run. The key `s` has no
    // meaning on the home screen or in the history.
    const keymap = keymapOf({ 'home.resume': 's', 'history.replay': 's', 'home.brief': '+' });
    expect(commandIn(keymap, 'home', 's', 'run')).toBe('resume');
    expect(commandIn(keymap, 'home', 'r', 'run')).toBeUndefined();
    expect(commandIn(keymap, 'home', 'r', 'seat')).toBe('role');
    expect(commandIn(keymap, 'history', 's')).toBe('replay');
    expect(commandIn(keymap, 'history', 'p')).toBeUndefined();
    expect(commandFor(keymap, 's')).toBe('stop');
  });

  test('are refused if the setting names a command without its screen', () => {
    const error = rebindKeys(KEYMAP, { convene: 'ctrl+s' });
    expect(error).toMatchObject({ next: 'Name its screen: home.convene' });
  });

  test('act in dialogs in place of the built-in keys of the same command', () => {
    const keymap = keymapOf({ 'dialogs.accept': ['ctrl+s', 'enter'], 'dialogs.undo': 'ctrl+g' });
    expect(dialogKey(keymap, 'ctrl+s')).toBe('enter');
    expect(dialogKey(keymap, 'enter')).toBe('enter');
    expect(dialogKey(keymap, 'ctrl+g')).toBe('ctrl+_');
    expect(dialogKey(keymap, 'ctrl+_')).toBe('');
    expect(dialogKey(keymap, 'ctrl+w')).toBe('ctrl+w');
    expect(dialogKey(keymap, 'x')).toBe('x');
    expect(keymapOf({ 'dialogs.undo': 'ctrl+/' }).dialogs.undo.keys).toEqual(['ctrl+_']);
  });

  test('work in the history of runs and are shown in its help', () => {
    const keymap = keymapOf({ 'history.search': 'S', 'history.help': 'H' });
    const history = withRuns(beginHistory(), []);
    expect(press(history, '/', keymap).over).toBeUndefined();
    expect(press(history, 'S', keymap).over?.kind).toBe('search');
    const look = { theme: new Theme(0), keymap, columns: 100, rows: 24, now: 0 };
    expect(historyPage(history, look).at(-1)).toMatch(/S.* search/);
    const help = historyPage(press(history, 'H', keymap), look).join('\n');
    expect(help).toMatch(/S +\S*Search questions and answers/);
  });
});

describe('the last row of the screen', () => {
  test('names the keys that have an effect now', () => {
    const keymap = rebindKeys(KEYMAP, { stop: 'h' });
    if (keymap instanceof Error) throw keymap;
    expect(footerItems(keymap, makeKeyState(LIVE))).toContain('h stop');
    expect(footerItems(keymap, makeKeyState(DONE))).not.toContain('h stop');
  });

  test('names the key for another model only if the seat has failed', () => {
    const failed = { ...DONE, focusCanRetry: true };
    expect(footerItems(KEYMAP, makeKeyState(failed))).toEqual(
      expect.arrayContaining(['R ask again', 'M other model']),
    );
    expect(listCommands(DONE)).toContain('change-model');
    expect(footerItems(KEYMAP, makeKeyState(DONE))).not.toContain('M other model');
  });

  test('names the keys for commands, help and quit on 40, 60 and 80 columns, too', () => {
    const items = footerItems(KEYMAP, makeKeyState(LIVE));
    expect(fitItems(items, 1000)).toEqual(items);
    for (const cells of [40, 60, 80]) {
      const shown = fitItems(items, cells);
      expect(shown.slice(-3)).toEqual([': commands', '? help', 'q quit']);
      expect(shown.join('  ').length).toBeLessThanOrEqual(cells);
    }
    expect(fitItems(items, 60)).toContain('s stop');
  });
});

describe('keysOf', () => {
  const NONE = Object.fromEntries(
    [
      ['upArrow', 'downArrow', 'leftArrow', 'rightArrow', 'pageDown', 'pageUp', 'home', 'end'],
      ['return', 'escape', 'ctrl', 'shift', 'tab', 'backspace', 'delete', 'meta', 'super'],
      ['hyper', 'capsLock', 'numLock'],
    ]
      .flat()
      .map((name) => [name, false]),
  ) as unknown as Parameters<typeof keysOf>[1];

  test.each([
    ['jjj', {}, ['j', 'j', 'j']],
    ['j\u0004G', {}, ['j', 'ctrl+d', 'G']],
    ['a b', {}, ['a', 'space', 'b']],
    ['é漢', {}, ['é', '漢']],
    ['d', { ctrl: true }, ['ctrl+d']],
    ['', { tab: true, shift: true }, ['shift+tab']],
    ['', { pageDown: true }, ['pagedown']],
    ['q', { meta: true }, []],
    ['\u0000\u001f', {}, []],
    ['a\u009b\u202e\u200bb\u0301', {}, ['a', 'b', '\u0301']],
    ['\n', {}, ['ctrl+j']],
    ['', { return: true, meta: true }, ['alt+enter']],
    ['', { leftArrow: true, ctrl: true }, ['ctrl+left']],
    ['b', { meta: true }, ['alt+b']],
  ])(
    'returns the names of pressed keys: for the input %j with the flags %j of Ink, the names are %j',
    (input, flags, keys) => {
      expect(keysOf(input, { ...NONE, ...flags })).toEqual(keys);
    },
  );
});
