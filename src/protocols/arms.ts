/** What protocols bring to an evaluation: the panels that can be an arm, and a model alone. */
import type { ArmMaker } from '../app/evaluation/arm-maker.ts';
import { UsageError } from '../kernel/errors.ts';

const MAKERS: ReadonlyMap<string, () => Promise<ArmMaker>> = new Map([
  ['board', async () => (await import('./board/desk/arm.ts')).arm],
  ['rounds', async () => (await import('./rounds/desk/arm.ts')).arm],
  ['agent', async () => (await import('./agents/desk/arm.ts')).arm],
  ['debate', async () => (await import('./debate/desk/arm.ts')).loadArm()],
]);

/** As they are named in `--arms`. */
export const ARM_KINDS: readonly string[] = [...MAKERS.keys()];

/** @throws UsageError where there is no such kind */
export async function armOf(kind: string): Promise<ArmMaker> {
  const maker = MAKERS.get(kind);
  if (maker === undefined)
    throw new UsageError(`there is no arm ${kind}`, `The arms are ${ARM_KINDS.join(', ')}.`);
  return maker();
}

/** One call of one model, told nothing but the question. */
export async function aloneArm(): Promise<ArmMaker> {
  return (await import('./agents/desk/arm.ts')).alone;
}
