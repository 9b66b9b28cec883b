// Collects garbage repeatedly, so that memory in use can be told from memory not yet released, and
// writes the number of bytes in use to a file.
import { writeFileSync } from 'node:fs';

setInterval(() => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(process.env.BENCH_KEPT, String(heapUsed + external));
}, 200).unref();
