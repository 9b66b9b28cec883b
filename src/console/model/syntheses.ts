/** The syntheses of a run, each from the beginning of its call to its record. */
import type { SynthesisView } from '../../kernel/view.ts';
import { CallStream } from './call-stream.ts';
import type { RunModel, RunShape, Synthesis } from './run-model.ts';

/**
 * The seat that writes syntheses in most protocols. Its steps are `synthesis/1`, `synthesis/2`, …
 */
export const SYNTHESIZER = 'synthesizer';

/** Collects all syntheses of a run, with the output of those that are being written. */
export class Syntheses {
  readonly #byVersion = new Map<number, Writing>();
  readonly #run: RunModel;
  readonly #shape: Pick<RunShape, 'ablates' | 'named' | 'reads'>;

  constructor(run: RunModel, shape: Pick<RunShape, 'ablates' | 'named' | 'reads'>) {
    this.#run = run;
    this.#shape = shape;
  }

  get all(): readonly Synthesis[] {
    return [...this.#byVersion.values()].sort((a, b) => a.version - b.version);
  }

  /** Returns the output of the synthesis with this version; creates an empty one if there is none. */
  streamOf(version: number): CallStream {
    return this.#synthesis(version).stream;
  }

  /** Replaces the output of a synthesis by its recorded text, once it is finished. */
  finish(version: number): void {
    const done = this.#run.view.syntheses.find((synthesis) => synthesis.version === version);
    if (done === undefined) return;
    const synthesis = this.#synthesis(version);
    const { named, reads } = this.#shape;
    const inNames = named?.(done.text, done.labels, (seat) => this.#run.nameOf(seat), true);
    const { text } = synthesis.stream.text;
    // Show the recorded text if the calls of this run have not delivered it in full, as for a synthesis that a
    // fork has copied from its parent.
    if (text !== done.text && text !== inNames)
      synthesis.stream.showText(done.text, done.model, this.#writingTime(done));
    synthesis.done = done;
    synthesis.question = done.question ?? 1;
    synthesis.stream.reword(reads?.(done, this.#run) ?? done.text);
  }

  #synthesis(version: number): Writing {
    const known = this.#byVersion.get(version);
    if (known !== undefined) return known;
    const findAblatedVersion = (): number | undefined => this.#shape.ablates?.(this.#run, version);
    const ablated = this.#byVersion.get(findAblatedVersion() ?? 0);
    const synthesis = new Writing(
      version,
      ablated?.question ?? this.#run.question,
      findAblatedVersion,
    );
    this.#byVersion.set(version, synthesis);
    return synthesis;
  }

  /**
   * Returns the milliseconds that writing took: those of the model's last call, because code made the synthesis
   * from it.
   */
  #writingTime({ model }: SynthesisView): number | undefined {
    return Object.values(this.#run.view.calls)
      .filter((call) => call.state === 'done' && call.model === model && !call.inherited)
      .findLast(({ step }) => /^synthesis(?:\/|$)/.test(step))?.latencyMs;
  }
}

/** A synthesis that is being written. */
class Writing implements Synthesis {
  readonly version: number;
  question: number;
  readonly stream = new CallStream(SYNTHESIZER);
  done: SynthesisView | undefined;
  readonly #ablates: () => number | undefined;

  constructor(version: number, question: number, ablates: () => number | undefined) {
    this.version = version;
    this.question = question;
    this.#ablates = ablates;
  }

  get ablates(): number | undefined {
    return this.#ablates();
  }
}

/** Returns the version of the synthesis that a step writes; undefined for other steps. */
export function versionOf(step: string): number | undefined {
  const version = /(?:^|\/)synthesis\/(\d+)(?:\/compacted)?$/.exec(step)?.[1];
  return version === undefined ? undefined : Number(version);
}
