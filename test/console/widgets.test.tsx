/** The real Ink components of gates, dialogs, lists and texts, by what a terminal sends. */
import { Box, useInput, usePaste } from 'ink';
import { cleanup, render } from 'ink-testing-library';
import { type ReactNode, useReducer } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { dialogKey, keymapOf } from '../../src/console/keys/key-lookup.ts';
import { KEYMAP, type Keymap } from '../../src/console/keys/keymap.ts';
import { keysOf } from '../../src/console/terminal/keys.ts';
import { Theme } from '../../src/console/terminal/theme.ts';
import type { Dialog } from '../../src/console/ui/component.ts';
import { dialogOver } from '../../src/console/ui/dialog.tsx';
import { ChoiceForm } from '../../src/console/ui/forms/choice.ts';
import { ModelChoice, ModelForm } from '../../src/console/ui/forms/models.ts';
import { TextForm } from '../../src/console/ui/forms/text.ts';
import { listOf } from '../../src/console/ui/list.ts';
import { Select } from '../../src/console/ui/select.tsx';
import { waitForKey } from './terminal.ts';

const theme = new Theme(0);

afterEach(() => cleanup());

interface OpenProps {
  readonly dialog: Dialog;
  readonly keymap: Keymap;
  readonly closed: () => void;
}

/** Draws a dialog and passes keys to it, as a screen does. */
function Open({ dialog, keymap, closed }: OpenProps): ReactNode {
  const [, changed] = useReducer((count: number) => count + 1, 0);
  useInput((input, key) => {
    for (const keyName of keysOf(input, key))
      if (dialog.key(dialogKey(keymap, keyName)) === false) closed();
    changed();
  });
  usePaste((text) => {
    dialog.paste?.(text);
    changed();
  });
  return (
    <Box width={80} height={24}>
      {dialogOver(dialog, { theme, keymap, columns: 80, rows: 24 })}
    </Box>
  );
}

interface Shown {
  /** What is in the box, without its border. */
  rows(): string[];
  readonly done: string[];
  press(...chunks: string[]): Promise<void>;
}

async function openDialog(dialog: Dialog, keymap: Keymap = KEYMAP): Promise<Shown> {
  const done: string[] = [];
  const recordClosing = () => void done.push('closed');
  const { stdin, lastFrame } = render(
    <Open dialog={dialog} keymap={keymap} closed={recordClosing} />,
  );
  await waitForKey();
  return {
    done,
    rows: () =>
      (lastFrame() ?? '')
        .split('\n')
        .filter((line) => line.includes('│'))
        .map((line) =>
          line
            .slice(line.indexOf('│') + 2, line.lastIndexOf('|'))
            .replaceAll('\u001b[7m', '[')
            .replaceAll('\u001b[27m', ']')
            .trimEnd(),
        ),
    press: async (...chunks) => {
      for (const chunk of chunks) {
        stdin.write(chunk);
        await waitForKey();
      }
    },
  };
}

const DOWN = '\u001b[B';
const UP = '\u001b[A';
const PAGE_DOWN = '\u001b[6~';
const PAGE_UP = '\u001b[5~';
const CTRL = { w: '\u0017', a: '\u0001', e: '\u0005', u: '\u0015', k: '\u000b', '/': '\u001f' };

describe('the form for a question that a run asks', () => {
  const question = {
    title: 'The run is waiting for you',
    prompt: 'Continue without a limit?',
    hints: {},
    width: 72,
    items: [
      { value: 'stop', label: 'Stop here' },
      { value: 'on', label: 'Go on (default)' },
      { value: 'ask', label: 'Ask again later' },
    ],
    first: 'on',
  };

  test('starts with the cursor on the default answer, and answers only on Enter', async () => {
    const answers: string[] = [];
    const gate = await openDialog(
      new ChoiceForm({ ...question, chosen: (value) => void answers.push(value) }),
    );
    expect(gate.rows()).toEqual([
      'The run is waiting for you',
      '',
      'Continue without a limit?',
      '',
      '  Stop here',
      expect.stringMatching(/^\[> Go on \(default\) +\]$/),
      '  Ask again later',
    ]);
    await gate.press('1', '3');
    expect(answers).toEqual([]);
    // If a person holds down a key, the terminal may send several presses of the key in one chunk.
    await gate.press('jjjj', UP, '\r');
    expect(answers).toEqual(['on']);
  });
});

describe('a list on the screen', () => {
  const items = Array.from({ length: 30 }, (_, index) => ({
    value: `v${index}`,
    label: `model ${index}`,
  }));

  test('shows the items around the cursor and the number of items below', () => {
    const drawSelect = (at: number): string[] =>
      (
        render(<Select list={{ ...listOf(items), at }} theme={theme} width={20} height={6} />)
          .lastFrame()
          ?.split('\n') ?? []
      ).map((line) => line.trimEnd());
    expect(drawSelect(0)).toEqual([
      expect.stringContaining('> model 0'),
      '  model 1',
      '  model 2',
      '  model 3',
      '  model 4',
      expect.stringContaining('25 more'),
    ]);
    expect(drawSelect(29)).toEqual([
      '  model 24',
      '  model 25',
      '  model 26',
      '  model 27',
      '  model 28',
      expect.stringContaining('> model 29'),
    ]);
    for (const at of [3, 14, 27])
      expect(drawSelect(at).filter((line) => line.includes('>'))).toEqual([
        expect.stringContaining(`> model ${at}`),
      ]);
  });

  test('is narrowed by typed letters and digits, and its cursor moves by pages', async () => {
    const chosen: string[] = [];
    const offers = items.map(({ label }) => ({ spec: label, detail: '' }));
    const choice = new ModelChoice(
      () => Promise.resolve(offers),
      () => undefined,
    );
    const list = await openDialog(
      new ModelForm('Which?', choice, (spec) => void chosen.push(spec)),
    );
    await list.press(PAGE_DOWN, PAGE_DOWN, PAGE_UP);
    expect(list.rows().find((row) => row.includes('>') && row.includes('model'))).toMatch(
      /> model 9 /,
    );
    await list.press('mjk', CTRL.w, '2', '7');
    expect(list.rows().filter((row) => row.includes('model'))).toEqual([
      expect.stringContaining('> model 27'),
    ]);
    await list.press('\r');
    expect(chosen).toEqual(['model 27']);
    expect(list.done).toEqual(['closed']);
  });
});

describe('a text field on the screen', () => {
  async function openTextForm(
    keymap?: Keymap,
    text = '',
  ): Promise<Shown & { readonly sent: string[]; readonly kept: string[] }> {
    const sent: string[] = [];
    const kept: string[] = [];
    const send = (text: string) => void sent.push(text);
    const draft = { text, keep: (text: string) => void kept.push(text) };
    const does = ['send', 'sends it'] as const;
    const form = new TextForm({ title: 'A note', does, rows: 1, draft, send });
    return { ...(await openDialog(form, keymap)), sent, kept };
  }

  test('is stored as a draft until the text is sent', async () => {
    const text = await openTextForm(undefined, 'two\nlines');
    expect(text.rows().slice(2, 4)).toEqual(['> two', '  lines[ ]']);
    await text.press('!', '\u001b[200~?\u001b[201~');
    expect(text.kept).toEqual(['two\nlines!', 'two\nlines!?']);
    await text.press('\r');
    expect(text.sent).toEqual(['two\nlines!?']);
    expect(text.kept.at(-1)).toBe('');
  });

  test('has keys to delete a word or the rest of a line, and a key for undo', async () => {
    const text = await openTextForm();
    await text.press('one two three', CTRL.w);
    expect(text.rows()[2]).toBe('> one two [ ]');
    await text.press('\u001b\u007f');
    expect(text.rows()[2]).toBe('> one [ ]');
    await text.press(CTRL.a);
    expect(text.rows()[2]).toBe('> [o]ne');
    await text.press('x', CTRL.e, '!', CTRL.a, CTRL.k);
    expect(text.rows()[2]).toBe('> [ ]');
    await text.press(CTRL['/'], CTRL.e, CTRL.u, CTRL['/'], '\r');
    expect(text.sent).toEqual(['xone !']);
  });

  test('gets new lines by Ctrl-J, Alt-Enter, a backslash and a paste', async () => {
    const text = await openTextForm();
    await text.press('a', '\n', 'b', '\u001b\r', 'c\\', '\r', '\u001b[200~d\r\ne\u001b[201~');
    expect(text.rows().slice(2, 7)).toEqual(['> a', '  b', '  c', '  d', '  e[ ]']);
    await text.press(UP, UP, 'x', DOWN, 'y', '\r');
    expect(text.sent).toEqual(['a\nb\ncx\ndy\ne']);
  });

  test('keeps the cursor between whole characters, whatever their width', async () => {
    const text = await openTextForm();
    await text.press('漢字e\u0301', '\u001b[D');
    expect(text.rows()[2]).toBe('> 漢字[e\u0301]');
    await text.press('\u001b[D', '\u007f');
    expect(text.rows()[2]).toBe('> [字]e\u0301');
    await text.press(CTRL.e, '\u007f', '\r');
    expect(text.sent).toEqual(['字']);
  });

  test('uses the keys that a person has configured, and names them below the field', async () => {
    const text = await openTextForm(
      keymapOf({ 'dialogs.accept': 'ctrl+s', 'dialogs.delete-word': 'ctrl+g' }),
    );
    expect(text.rows().at(-1)).toBe('\u001b[2mCtrl-S sends it · Esc keeps it for later\u001b[22m');
    await text.press('one two', '\u0007', '\u0017', '\r');
    expect(text.sent).toEqual([]);
    await text.press('\u0013');
    expect(text.sent).toEqual(['one']);
  });
});
