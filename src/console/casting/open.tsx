/** Opens the walk on the terminal and closes it again; the terminal is as it was on every way out. */
import { render, useApp, useInput, usePaste } from 'ink';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { truncate } from '../../text/width.ts';
import { keysOf } from '../keys.ts';
import { LEAST_SCREEN } from '../layout.ts';
import type { Screen } from '../ports.ts';
import { colourDepth, type Environment, Theme } from '../theme.ts';
import { Rows } from '../widgets/rows.tsx';
import { pageOf } from './page.ts';
import { type Answers, begin, type Offer, paste, press, type Walk } from './walk.ts';

export interface CastingOptions {
  readonly offer: Offer;
  readonly screen: Screen;
  readonly stdin: NodeJS.ReadStream;
  readonly env: Environment;
}

/** Resolves to what the person decided, or to undefined where they left. */
export async function openCasting(options: CastingOptions): Promise<Answers | undefined> {
  const { offer, screen, stdin, env } = options;
  let walk = begin(offer);
  let leave: () => void = () => undefined;
  const instance = render(
    <Casting
      offer={offer}
      screen={screen}
      theme={new Theme(colourDepth(env))}
      told={(now) => {
        walk = now;
      }}
      entered={(exit) => {
        leave = exit;
      }}
    />,
    {
      stdout: screen as unknown as NodeJS.WritableStream as NodeJS.WriteStream,
      stdin,
      interactive: true,
      alternateScreen: true,
      incrementalRendering: true,
      exitOnCtrlC: false,
      patchConsole: false,
    },
  );
  const gone = (): void => leave();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, gone);
  try {
    await instance.waitUntilExit();
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, gone);
  }
  return walk.state === 'begun' ? walk.answers : undefined;
}

interface CastingProps {
  readonly offer: Offer;
  readonly screen: Screen;
  readonly theme: Theme;
  readonly told: (walk: Walk) => void;
  readonly entered: (leave: () => void) => void;
}

function Casting({ offer, screen, theme, told, entered }: CastingProps): ReactNode {
  const app = useApp();
  const [walk, setWalk] = useState(() => begin(offer));
  const [size, setSize] = useState({ columns: screen.columns, rows: screen.rows });
  const change = (next: (now: Walk) => Walk): void => setWalk(next);
  useInput((input, key) => {
    for (const one of keysOf(input, key)) change((now) => open(now, () => press(now, one, offer)));
  });
  usePaste((text) => change((now) => open(now, () => paste(now, text))));
  useLayoutEffect(() => {
    const resized = (): void => setSize({ columns: screen.columns, rows: screen.rows });
    screen.on('resize', resized);
    entered(() => app.exit());
    return () => void screen.off('resize', resized);
  }, [app, screen, entered]);
  useLayoutEffect(() => {
    told(walk);
    if (walk.state !== 'open') app.exit();
  }, [walk, app, told]);
  const { columns, rows } = size;
  const small = columns < LEAST_SCREEN.columns || rows < LEAST_SCREEN.rows;
  const page = small
    ? [truncate('terminal too small', columns)]
    : pageOf(walk, { offer, theme, columns, rows });
  return <Rows rows={page} />;
}

/** Keys that come after the last one in the same chunk change nothing any more. */
function open(walk: Walk, next: () => Walk): Walk {
  return walk.state === 'open' ? next() : walk;
}
