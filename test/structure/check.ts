/** `npm run check`: every import that the table of floors does not allow, and circles of imports. */
import { findCircles, findForbidden, readImports } from './imports.ts';

/** Files that know each other may import each other; more than these are a knot. */
const LARGEST_CIRCLE = 3;

const imports = readImports();
const circles = findCircles(imports);
const problems = [
  ...findForbidden(imports).map((edge) => `not allowed (test/structure/floors.ts): ${edge}`),
  ...circles
    .filter(({ length }) => length > LARGEST_CIRCLE)
    .map((circle) => `a circle of imports: ${circle.join(', ')}`),
];
for (const problem of problems) console.error(problem);
console.log(
  `${imports.length} imports, ${problems.length} against the floors, largest circle ${circles[0]?.length ?? 0} files`,
);
if (problems.length > 0) process.exit(1);
