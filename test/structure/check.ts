/** `npm run check`: every import that the table of floors does not allow, and every circle. */
import { findCircles, findForbidden, readImports } from './imports.ts';
import { STANDING } from './standing.ts';

const imports = readImports();
const forbidden = findForbidden(imports);
const problems = [
  ...forbidden.filter((edge) => !STANDING.has(edge)).map((edge) => `not allowed: ${edge}`),
  ...[...STANDING]
    .filter((edge) => !forbidden.includes(edge))
    .map((edge) => `gone, strike it from test/structure/standing.ts: ${edge}`),
];
for (const problem of problems) console.error(problem);
console.log(
  `${imports.length} imports, ${forbidden.length} against the floors, largest circle ${findCircles(imports)[0]?.length ?? 0} files`,
);
if (problems.length > 0) process.exit(1);
