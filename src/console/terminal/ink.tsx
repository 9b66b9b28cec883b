/**
 * The part of a stage that needs Ink. Loaded after the first frame, because it takes longer than everything
 * else.
 */
import { Box, type Instance, render, useApp, useInput, usePaste } from 'ink';
import { type ReactNode, useLayoutEffect } from 'react';
import { keysOf } from './keys.ts';
import { Rows } from './rows.tsx';
import type { Screen } from './screen.ts';

/** A frame: the rows of the screen, and a dialog over them. */
export interface Picture {
  /** The width in cells. */
  readonly columns: number;
  readonly rows: readonly string[];
  /** The height in rows. */
  readonly height: number;
  /** The dialog over the rows. */
  readonly over?: ReactNode;
}

interface InkParts {
  readonly screen: Screen;
  readonly stdin: NodeJS.ReadStream;
  readonly picture: () => Picture;
  readonly onKey: (key: string) => void;
  readonly onPaste: (text: string) => void;
  /** Called with the app when it is mounted, and with `undefined` when it is unmounted or has crashed. */
  readonly enter: (app: App | undefined) => void;
}

/** The app of the library Ink, as its hook `useApp` returns it. */
export type App = ReturnType<typeof useApp>;

/** A screen that the library Ink draws. */
export interface MountedScreen {
  /** Draws the present frame. */
  draw(): void;
  /** Forgets the last frame, so that the next one is drawn completely. */
  clear(): void;
  /** Resolves when Ink has restored the terminal. */
  readonly exited: Promise<unknown>;
}

/** Lets the library Ink draw the screen and read the keys. */
export function mountInk({
  screen,
  stdin,
  picture,
  onKey,
  onPaste,
  enter,
}: InkParts): MountedScreen {
  const makeFrame = (): ReactNode => (
    <Frame enter={enter} onKey={onKey} onPaste={onPaste} picture={picture()} />
  );
  const instance: Instance = render(makeFrame(), {
    stdout: screen as unknown as NodeJS.WritableStream as NodeJS.WriteStream,
    stdin,
    interactive: true,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: 120,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return {
    draw: () => instance.rerender(makeFrame()),
    clear: () => instance.clear(),
    exited: instance.waitUntilExit(),
  };
}

interface FrameProps extends Pick<InkParts, 'enter' | 'onKey' | 'onPaste'> {
  readonly picture: Picture;
}

function Frame({ enter, onKey, onPaste, picture }: FrameProps): ReactNode {
  const app = useApp();
  useLayoutEffect(() => {
    enter(app);
    return () => enter(undefined);
  }, [app, enter]);
  useInput((input, key) => {
    for (const keyName of keysOf(input, key)) onKey(keyName);
  });
  // Always switch bracketed paste on, so that a text pasted by mistake is not taken for commands.
  usePaste((text) => onPaste(text));
  const { columns, height, rows, over } = picture;
  return (
    <Box width={columns} height={height} flexDirection="column">
      <Rows rows={rows} />
      {over}
    </Box>
  );
}
