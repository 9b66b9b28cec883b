/** Decisions that stand on what no longer carries them. */
import type { Decision } from '../types.ts';
import { type Context, sayOfDecision, type Warnings } from './context.ts';

/** What is worked out of a decision: `fallen` are the grounds it has lost, and why. */
interface Grounds {
  readonly decision: Decision;
  readonly standing: 'stands' | 'fallen' | 'overturned';
  readonly fallen: readonly { readonly id: string; readonly why: string }[];
}

/**
 * One that a later decision has overturned carries nothing any more: of its grounds nobody is warned. Nor
 * elsewhere than under the second rules, where a decision says whether it takes a claim as true or as false.
 */
export function* fallenGrounds(context: Context, decisions: readonly Grounds[]): Warnings {
  if (!context.strict) return;
  for (const { decision, standing, fallen } of decisions) {
    if (standing !== 'fallen') continue;
    const lost = fallen.map(({ why }) => why).join('; ');
    yield sayOfDecision(context, decision)('fallen-ground', `its ground has fallen: ${lost}`);
  }
}
