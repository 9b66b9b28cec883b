/** Runs many simulated deliberations with each panel over all documents, and judges them. */
import { DOCUMENTS } from './documents.ts';
import { type SimulatedRun, simulateRun } from './hold.ts';
import { type JudgedRun, judgeRun } from './judge.ts';
import type { Panel } from './minds.ts';

/** The simulated runs of all panels, compared with the known truths of their documents. */
export interface PanelMeasures {
  /** The compared runs, by the panel's name. */
  readonly runs: ReadonlyMap<string, readonly JudgedRun[]>;
  /** Answers of a wrong form, and runs that did not end; each once. */
  readonly faults: readonly string[];
}

/** The panels of simulated models to measure, with how many runs of how many rounds. */
export interface MeasureRequest {
  readonly panels: readonly Panel[];
  /** How many runs there are for each panel. */
  readonly runs: number;
  /** How many rounds a run has. */
  readonly rounds: number;
  /** Called with every run that has ended. */
  readonly told?: (held: SimulatedRun) => void;
}

/**
 * Runs simulated deliberations in rounds with each panel, on one test document after another, and compares their
 * records with the known truths of the documents.
 */
export async function measurePanels({
  panels,
  runs,
  rounds,
  told,
}: MeasureRequest): Promise<PanelMeasures> {
  const judged = new Map<string, JudgedRun[]>();
  const faults = new Set<string>();
  for (const panel of panels) {
    const own: JudgedRun[] = [];
    for (let seed = 1; seed <= runs; seed++) {
      const document = DOCUMENTS[seed % DOCUMENTS.length] ?? DOCUMENTS[0];
      const held = await simulateRun({ document, panel, seed, rounds });
      for (const fault of held.faults) faults.add(`${panel.name}: ${fault}`);
      told?.(held);
      own.push(judgeRun(held));
    }
    judged.set(panel.name, own);
  }
  return { runs: judged, faults: [...faults] };
}
