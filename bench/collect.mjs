// Collects garbage again and again, so that what a process holds can be told from what it has not let go of
// yet, and writes down how many bytes those are.
import { writeFileSync } from 'node:fs';

setInterval(() => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(process.env.BENCH_KEPT, String(heapUsed + external));
}, 200).unref();
