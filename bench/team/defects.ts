/**
 * Small repositories with one seeded defect each: the requirement, a naive solution, the right one, tests
 * that do not show the defect, and a hidden test that does.
 */

/** A small programming task with a defect that a worker easily makes, as source texts and tests. */
export interface Defect {
  readonly name: string;
  /** The name exported from `src/NAME.js`. */
  readonly exported: string;
  /** The requirement, word for word. */
  readonly says: string;
  /** The exported value with the defect, as source text. */
  readonly naive: string;
  /** The exported value without the defect, as source text. */
  readonly right: string;
  /** A test that passes on both solutions, and fails without one. */
  readonly easy: string;
  /** A test that fails on the naive solution only. */
  readonly hidden: string;
}

const makeDefect = (
  name: string,
  exported: string,
  says: string,
  [naive, right]: readonly [string, string],
  [easy, hidden]: readonly [string, string],
): Defect => ({ name, exported, says, naive, right, easy, hidden });

/** All programming tasks with a defect. */
export const DEFECTS: readonly Defect[] = [
  makeDefect(
    'off-by-one',
    'pages',
    'pages(count, size) is the number of pages that hold count items, size on each.',
    ['(count, size) => Math.floor(count / size) + 1', '(count, size) => Math.ceil(count / size)'],
    ['assert.equal(pages(5, 2), 3)', 'assert.equal(pages(4, 2), 2)'],
  ),
  makeDefect(
    'wrong-default',
    'greet',
    'greet(name) says “Hello, NAME!”, and “Hello, you!” where the name is missing or empty.',
    ["(name = 'you') => 'Hello, ' + name + '!'", "(name) => 'Hello, ' + (name || 'you') + '!'"],
    ["assert.equal(greet('Ada'), 'Hello, Ada!')", "assert.equal(greet(''), 'Hello, you!')"],
  ),
  makeDefect(
    'missing-edge',
    'average',
    'average(numbers) is their mean, and 0 where there is none.',
    [
      '(numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length',
      '(numbers) => numbers.reduce((sum, each) => sum + each, 0) / (numbers.length || 1)',
    ],
    ['assert.equal(average([1, 3]), 2)', 'assert.equal(average([]), 0)'],
  ),
  makeDefect(
    'wrong-rounding',
    'whole',
    'whole(number) rounds to a whole number, halves away from zero.',
    [
      '(number) => Math.round(number)',
      '(number) => Math.sign(number) * Math.round(Math.abs(number))',
    ],
    ['assert.equal(whole(2.5), 3)', 'assert.equal(whole(-2.5), -3)'],
  ),
  makeDefect(
    'swallowed-error',
    'parse',
    'parse(text) gives the value of a JSON text, and throws where it is none.',
    [
      '(text) => {\n  try {\n    return JSON.parse(text);\n  } catch {\n    return null;\n  }\n}',
      '(text) => JSON.parse(text)',
    ],
    ["assert.equal(parse('1'), 1)", "assert.throws(() => parse('{'), SyntaxError)"],
  ),
  makeDefect(
    'stale-cache',
    'lookup',
    'lookup(map, key) gives what the map holds under the key at that time.',
    [
      '(map, key) => {\n  if (!known.has(key)) known.set(key, map.get(key));\n  return known.get(key);\n};\nconst known = new Map()',
      '(map, key) => map.get(key)',
    ],
    [
      "assert.equal(lookup(new Map([['a', 1]]), 'a'), 1)",
      "assert.deepEqual([lookup(new Map([['b', 1]]), 'b'), lookup(new Map([['b', 2]]), 'b')], [1, 2])",
    ],
  ),
  makeDefect(
    'broken-flag',
    'colors',
    'colors(argv) is true with --color, false with --no-color, and where both are given the last one decides.',
    [
      "(argv) => argv.includes('--color')",
      "(argv) => argv.lastIndexOf('--color') > argv.lastIndexOf('--no-color')",
    ],
    [
      "assert.deepEqual([colors(['--color']), colors(['--no-color'])], [true, false])",
      "assert.equal(colors(['--color', '--no-color']), false)",
    ],
  ),
  makeDefect(
    'lost-unicode',
    'first',
    'first(text, count) gives the first characters of a text, as people count them.',
    [
      '(text, count) => text.slice(0, count)',
      "(text, count) => [...new Intl.Segmenter().segment(text)].slice(0, count).map((each) => each.segment).join('')",
    ],
    ["assert.equal(first('abc', 2), 'ab')", "assert.equal(first('a👍🏽b', 2), 'a👍🏽')"],
  ),
  makeDefect(
    'time-zone',
    'day',
    'day(date, zone) is the date there, as YYYY-MM-DD.',
    [
      '(date, zone) => zone && date.toISOString().slice(0, 10)',
      "(date, zone) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(date)",
    ],
    [
      "assert.equal(day(new Date('2026-03-01T12:00:00Z'), 'UTC'), '2026-03-01')",
      "assert.equal(day(new Date('2026-03-01T20:00:00Z'), 'Pacific/Auckland'), '2026-03-02')",
    ],
  ),
  makeDefect(
    'race',
    'once',
    'once(work) gives a function that does the work once, however often and how soon it is called again.',
    [
      '(work) => {\n  let done;\n  return async () => {\n    done ??= { value: await work() };\n    return done.value;\n  };\n}',
      '(work) => {\n  let doing;\n  return () => {\n    doing ??= work();\n    return doing;\n  };\n}',
    ],
    [
      'let times = 0;\n  const add = once(async () => (times += 1));\n  await add();\n  await add();\n  assert.equal(times, 1)',
      'let times = 0;\n  const add = once(async () => (times += 1));\n  await Promise.all([add(), add()]);\n  assert.equal(times, 1)',
    ],
  ),
  makeDefect(
    'text-order',
    'sorted',
    'sorted(numbers) gives them from the smallest to the largest.',
    [
      '(numbers) => [...numbers].sort()',
      '(numbers) => [...numbers].sort((left, right) => left - right)',
    ],
    [
      'assert.deepEqual(sorted([3, 1, 2]), [1, 2, 3])',
      'assert.deepEqual(sorted([10, 9]), [9, 10])',
    ],
  ),
  makeDefect(
    'changed-input',
    'backwards',
    'backwards(list) gives another list, the last first, and leaves the list as it is.',
    ['(list) => list.reverse()', '(list) => [...list].reverse()'],
    [
      'assert.deepEqual(backwards([1, 2]), [2, 1])',
      'const list = [1, 2];\n  backwards(list);\n  assert.deepEqual(list, [1, 2])',
    ],
  ),
  makeDefect(
    'overwritten',
    'merged',
    'merged(settings, more) gives the settings with those of more in their place; what is undefined there changes nothing.',
    [
      '(settings, more) => ({ ...settings, ...more })',
      '(settings, more) => ({ ...settings, ...Object.fromEntries(Object.entries(more).filter(([, each]) => each !== undefined)) })',
    ],
    [
      'assert.deepEqual(merged({ a: 1 }, { a: 2 }), { a: 2 })',
      'assert.deepEqual(merged({ a: 1 }, { a: undefined }), { a: 1 })',
    ],
  ),
  makeDefect(
    'composed-letters',
    'same',
    'same(left, right) tells whether two names are the same to a reader, whatever their case.',
    [
      '(left, right) => left.toLowerCase() === right.toLowerCase()',
      '(left, right) => left.normalize().toLowerCase() === right.normalize().toLowerCase()',
    ],
    [
      "assert.equal(same('Ada', 'ADA'), true)",
      "assert.equal(same('Zo\\u00eb', 'Zoe\\u0308'), true)",
    ],
  ),
  makeDefect(
    'unquoted',
    'row',
    'row(cells) is a line of CSV: cells with a comma, a quotation mark or a line break stand in quotation marks, and marks in them are doubled.',
    [
      "(cells) => cells.map((each) => (each.includes(',') ? '\"' + each + '\"' : each)).join(',')",
      `(cells) => cells.map((each) => (/[",\\n]/.test(each) ? '"' + each.replaceAll('"', '""') + '"' : each)).join(',')`,
    ],
    [
      "assert.equal(row(['a', 'b,c']), 'a,\"b,c\"')",
      'assert.equal(row([\'say "hi"\']), \'"say ""hi"""\')',
    ],
  ),
  makeDefect(
    'leap-century',
    'isLeap',
    'isLeap(year) tells whether a year of the Gregorian calendar has a 29th of February.',
    [
      '(year) => year % 4 === 0',
      '(year) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)',
    ],
    [
      'assert.deepEqual([isLeap(2024), isLeap(2023)], [true, false])',
      'assert.equal(isLeap(1900), false)',
    ],
  ),
  makeDefect(
    'left-behind',
    'using',
    'using(resource, work) does the work and closes the resource afterwards, also where the work fails.',
    [
      '(resource, work) => {\n  const value = work(resource);\n  resource.close();\n  return value;\n}',
      '(resource, work) => {\n  try {\n    return work(resource);\n  } finally {\n    resource.close();\n  }\n}',
    ],
    [
      'let closed = 0;\n  using({ close: () => (closed += 1) }, () => 1);\n  assert.equal(closed, 1)',
      "let closed = 0;\n  assert.throws(() => using({ close: () => (closed += 1) }, () => {\n    throw new Error('no');\n  }));\n  assert.equal(closed, 1)",
    ],
  ),
  makeDefect(
    'empty-input',
    'wordsOf',
    'wordsOf(text) lists the words of a text; an empty one has none.',
    ["(text) => text.split(' ')", '(text) => text.match(/\\S+/g) ?? []'],
    ["assert.deepEqual(wordsOf('a b'), ['a', 'b'])", "assert.deepEqual(wordsOf(''), [])"],
  ),
  makeDefect(
    'lost-digits',
    'total',
    'total(numbers) adds whole numbers of any length, given and told as texts.',
    [
      '(numbers) => String(numbers.reduce((sum, each) => sum + Number(each), 0))',
      '(numbers) => String(numbers.reduce((sum, each) => sum + BigInt(each), 0n))',
    ],
    [
      "assert.equal(total(['1', '2']), '3')",
      "assert.equal(total(['9007199254740993', '2']), '9007199254740995')",
    ],
  ),
  makeDefect(
    'one-too-many',
    'retry',
    'retry(work, times) does the work until it does not fail, at most so many times, and then fails with its error.',
    [
      '(work, times) => {\n  for (let left = times; ; left -= 1)\n    try {\n      return work();\n    } catch (error) {\n      if (left === 0) throw error;\n    }\n}',
      '(work, times) => {\n  for (let left = times - 1; ; left -= 1)\n    try {\n      return work();\n    } catch (error) {\n      if (left <= 0) throw error;\n    }\n}',
    ],
    [
      'assert.equal(retry(() => 1, 3), 1)',
      "let calls = 0;\n  assert.throws(() => retry(() => {\n    calls += 1;\n    throw new Error('no');\n  }, 2));\n  assert.equal(calls, 2)",
    ],
  ),
];

/** Returns the path, within the repository, of the source file that may have the defect. */
export function fileOf({ name }: Defect): string {
  return `src/${name}.js`;
}

/** Returns the text of the defect's source file with `body` as the exported value. */
export function sourceOf({ exported }: Defect, body: string): string {
  return `export const ${exported} = ${body};\n`;
}

/**
 * Returns text by which a simulated model recognizes the naive source, because the right source does not contain
 * it. Example: `a;` if the naive body is `a` and the right one is `a.trim()`.
 */
export function markOf({ naive, right }: Defect): string {
  if (!naive.includes('\n')) return `${naive};`;
  const known = right.split('\n');
  const own = naive.split('\n').find((row) => !known.includes(row));
  return (own ?? naive).trim();
}

/** Returns the name of the test that shows the defect. A simulated worker that reads the name knows the defect. */
export function hiddenName({ name }: Defect): string {
  return `sees ${name}`;
}

/** Returns the text of a test file for the defect's source file, with one test of this title and body. */
export function testOf({ name, exported }: Defect, title: string, body: string): string {
  return `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport * as made from '../src/${name}.js';\n\nconst { ${exported} } = made;\n\ntest('${title}', async () => {\n  ${body};\n});\n`;
}
