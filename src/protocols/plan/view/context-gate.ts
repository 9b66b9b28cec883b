/** The Gate tab: what each specialist was shown of the documents, round by round, and what it was not. */
import type { RunModel } from '../../../console/model/run-model.ts';
import { OutlinePage } from '../../../console/run/tabs/outline.ts';
import type { Page, PageAround } from '../../../console/run/tabs/page.ts';
import { formatTokens } from '../../../text/numbers.ts';
import type { FactOf } from '../facts.ts';
import { CONTEXT_GATE_LINE, readContextGate, tokensOf } from './context-gate-text.ts';
import { planIn, plannedIn } from './part.ts';

type Gated = FactOf<'context.gated'>;

export function contextGatePage(around: PageAround): Page {
  const { runModel } = around;
  return new OutlinePage<Gated>(around, {
    name: 'Seats',
    head: ['seat', 'pieces', 'tokens', 'withheld', 'cut', 'unknown'],
    above: () => [CONTEXT_GATE_LINE],
    empty: 'No specialist has been shown anything yet.',
    version: () => planIn(runModel).version,
    lines: (query) =>
      planIn(runModel).view.gated.filter((one) =>
        gateName(one, runModel).toLowerCase().includes(query),
      ),
    row: (one) => ({ text: gateName(one, runModel), figures: figuresOf(one) }),
    copyable: (one) => readContextGate(one, plannedIn(runModel)),
    read: (one) => readContextGate(one, plannedIn(runModel)),
  });
}

/** `Engine, round 1`; the round only where there are several. */
function gateName({ seat, round }: Gated, runModel: RunModel): string {
  const { title, plan } = plannedIn(runModel);
  const isOne = plan.gated.every((one) => one.round === round);
  return `${title(seat)}${isOne ? '' : `, round ${round}`}`;
}

function figuresOf({ shown, withheld, cut, notKnown }: Gated): string[] {
  return [
    String(shown.length),
    formatTokens(tokensOf(shown), true),
    ...[withheld, cut, notKnown].map(({ length }) => (length === 0 ? '' : String(length))),
  ];
}
