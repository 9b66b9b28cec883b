/**
 * `npm run check` prints imports that the table of rooms does not allow, circles of imports, exports that
 * nothing or only tests import, and tests that look at a clock. It exits with 1 if there are any.
 */
import { findClocks, readTests } from './clocks.ts';
import { findTestOnlyExports, findUnusedExports, readFiles } from './exports.ts';
import { findCircles, findForbidden, readImports } from './imports.ts';

const imports = readImports();
const circles = findCircles(imports);
const files = readFiles();
const problems = [
  ...findForbidden(imports).map((edge) => `not allowed (test/structure/floors.ts): ${edge}`),
  ...circles.map((circle) => `a circle of imports: ${circle.join(', ')}`),
  ...findUnusedExports(files).map((name) => `exported, and imported by nothing: ${name}`),
  ...findTestOnlyExports(files).map((name) => `used by tests alone: ${name}`),
  ...findClocks(readTests()).map(
    (clock) => `a test that looks at a clock (test/structure/clocks.ts): ${clock}`,
  ),
];
for (const problem of problems) console.error(problem);
console.log(`${imports.length} imports, ${circles.length} circles, ${problems.length} problems`);
if (problems.length > 0) process.exit(1);
