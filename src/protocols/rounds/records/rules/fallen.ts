/** Warns of decisions whose grounds no longer hold. */
import type { Decision } from '../types.ts';
import { type Context, makeDecisionReporter, type Warnings } from './context.ts';

/** A decision with its state. `fallen` lists the lost grounds with the reasons. */
interface Grounds {
  readonly decision: Decision;
  readonly standing: 'stands' | 'fallen' | 'overturned';
  readonly fallen: readonly { readonly id: string; readonly why: string }[];
}

/**
 * Warns of decisions that rest on claims or verdicts which are no longer valid. Overturned decisions are
 * skipped. Records before edition 2 of the rules are skipped as well: their decisions do not say whether
 * they use a claim as true or as false.
 */
export function* checkFallenGrounds(context: Context, decisions: readonly Grounds[]): Warnings {
  if (!context.strict) return;
  for (const { decision, standing, fallen } of decisions) {
    if (standing !== 'fallen') continue;
    const lost = fallen.map(({ why }) => why).join('; ');
    yield makeDecisionReporter(context, decision)(
      'fallen-ground',
      `its ground has fallen: ${lost}`,
    );
  }
}
