import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They wait for minutes and compute for seconds: begun last, nothing would be left to run beside them. */
const WAITING = /\/test\/(?:evaluation\/batch|restate\/runs)/;

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [
      ...sorted.filter(({ moduleId }) => WAITING.test(moduleId)),
      ...sorted.filter(({ moduleId }) => !WAITING.test(moduleId)),
    ];
  }
}
