/**
 * The protocols there are, by the name that stands in `run.started`: the one place outside their
 * folders that knows them. Each is loaded when it is needed, and of it only the part that is needed.
 */
import type { ProtocolView } from '../console/run/protocol-view.ts';
import { DeliberateError } from '../kernel/errors.ts';
import type { Protocol } from '../kernel/protocol.ts';

interface Card {
  readonly core: () => Promise<Protocol>;
  readonly view: () => Promise<ProtocolView>;
}

const CARDS: ReadonlyMap<string, Card> = new Map([
  [
    'board',
    {
      core: async () => (await import('./board/board.ts')).board as Protocol,
      view: async () => (await import('./board/view/console.ts')).view,
    },
  ],
  [
    'rounds',
    {
      core: async () => (await import('./rounds/rounds.ts')).rounds as Protocol,
      view: async () => (await import('./rounds/view/console.ts')).view,
    },
  ],
  [
    'agent',
    {
      core: async () => (await import('./agents/agents.ts')).agents as Protocol,
      view: async () => (await import('./agents/view/console.ts')).view,
    },
  ],
]);

/** @throws DeliberateError where this version does not know it. */
export async function protocolNamed(name: string): Promise<Protocol> {
  const card = CARDS.get(name);
  if (card === undefined)
    throw new DeliberateError('unknown-protocol', `this version knows no protocol "${name}"`);
  return card.core();
}

/** How its runs look in the console; as any run does, where this version does not know it. */
export async function viewNamed(name: string): Promise<ProtocolView> {
  const card = CARDS.get(name);
  if (card !== undefined) return card.view();
  return (await import('../console/run/protocol-view.ts')).COMMON_VIEW;
}
