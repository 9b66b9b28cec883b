/**
 * Solvers of the generated puzzles. They read the text that a model reads, and know nothing of how it was
 * made.
 */

/**
 * Returns an answer for every solution that the text of a puzzle allows, so that a good puzzle has exactly one.
 * Two solutions with the same answer are two entries, of which the second is marked.
 *
 * @param kind The kind of puzzle: `knights`, `schedules` or `prices`
 * @throws Error if a sentence of the puzzle is not understood
 */
export function answersTo(kind: string, text: string): string[] {
  const found = new Set(
    kind === 'knights'
      ? solveKnights(text)
      : kind === 'schedules'
        ? solveSchedules(text)
        : solvePrices(text),
  );
  return [...found];
}

/** Returns the number of knights for every solution of the puzzle. */
function solveKnights(text: string): string[] {
  const said = [...text.matchAll(/^(\w+) says: “(.+)”$/gm)].map(([, speaker = '', what = '']) => ({
    speaker,
    what,
  }));
  const names = said.map(({ speaker }) => speaker);
  const ways: string[] = [];
  for (let way = 0; way < 2 ** names.length; way += 1) {
    const isKnight = new Map(names.map((name, at) => [name, Math.floor(way / 2 ** at) % 2 === 1]));
    const count = [...isKnight.values()].filter(Boolean).length;
    if (said.every(({ speaker, what }) => isKnight.get(speaker) === isTrue(what, isKnight, count)))
      // Two solutions with equally many knights must count as two answers, so that the puzzle is found
      // ambiguous.
      ways.push(ways.length === 0 ? String(count) : `${count} in way ${way}`);
  }
  return ways;
}

function isTrue(what: string, isKnight: ReadonlyMap<string, boolean>, count: number): boolean {
  const isKnightNamed = (name: string | undefined): boolean => {
    const known = isKnight.get(name ?? '');
    if (known === undefined) throw new Error(`nobody is called ${name}: ${what}`);
    return known;
  };
  let match = /^(\w+) is a (knight|knave)\.$/.exec(what);
  if (match !== null) return isKnightNamed(match[1]) === (match[2] === 'knight');
  match = /^(\w+) and (\w+) are (not )?of the same kind\.$/.exec(what);
  if (match !== null)
    return (isKnightNamed(match[1]) === isKnightNamed(match[2])) === (match[3] === undefined);
  match = /^Exactly (\d+) of us (?:is a knight|are knights)\.$/.exec(what);
  if (match !== null) return count === Number(match[1]);
  match = /^At least one of (\w+) and (\w+) is a (knight|knave)\.$/.exec(what);
  if (match !== null)
    return (
      isKnightNamed(match[1]) === (match[3] === 'knight') ||
      isKnightNamed(match[2]) === (match[3] === 'knight')
    );
  match = /^If (\w+) is a knight, so is (\w+)\.$/.exec(what);
  if (match !== null) return isKnightNamed(match[1]) ? isKnightNamed(match[2]) : true;
  throw new Error(`not understood: ${what}`);
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'];

/** Returns the speaker of the talk that is asked for, for every order that keeps all rules. */
function solveSchedules(text: string): string[] {
  const names = (/^(.+) each give one talk/.exec(text)?.[1] ?? '').split(/, | and /);
  const rules = [...text.matchAll(/^- (.+)$/gm)].map(([, rule = '']) => ruleOf(rule));
  const asked = ORDINALS.indexOf(/Who gives the (\w+) talk\?/.exec(text)?.[1] ?? '');
  const found: string[] = [];
  let orders = 0;
  const placeNext = (order: string[]): void => {
    if (order.length === names.length) {
      if (!rules.every((keeps) => keeps(order))) return;
      orders += 1;
      found.push(orders === 1 ? (order[asked] ?? '') : `${order[asked]} in order ${orders}`);
      return;
    }
    for (const name of names) if (!order.includes(name)) placeNext([...order, name]);
  };
  placeNext([]);
  return found;
}

function ruleOf(rule: string): (order: readonly string[]) => boolean {
  let match = /^(\w+) talks at some time before (\w+)\.$/.exec(rule);
  if (match !== null) {
    const [, left = '', right = ''] = match;
    return (order) => order.indexOf(left) < order.indexOf(right);
  }
  match = /^(\w+) talks directly after (\w+)\.$/.exec(rule);
  if (match !== null) {
    const [, left = '', right = ''] = match;
    return (order) => order.indexOf(left) === order.indexOf(right) + 1;
  }
  match = /^(\w+) and (\w+) do not talk directly one after the other\.$/.exec(rule);
  if (match !== null) {
    const [, left = '', right = ''] = match;
    return (order) => Math.abs(order.indexOf(left) - order.indexOf(right)) > 1;
  }
  match = /^(\w+) talks before (\w+), with exactly (\d) other talks? in between\.$/.exec(rule);
  if (match !== null) {
    const [, left = '', right = '', between] = match;
    return (order) => order.indexOf(right) - order.indexOf(left) === Number(between) + 1;
  }
  match = /^(\w+) does not give the (\w+) talk\.$/.exec(rule);
  if (match !== null) {
    const [, name = '', ordinal = ''] = match;
    return (order) => order[ORDINALS.indexOf(ordinal)] !== name;
  }
  throw new Error(`not understood: ${rule}`);
}

/** Returns the letters of all offers that cost the least. Packs are counted one by one. */
function solvePrices(text: string): string[] {
  const needed = Number(/at least (\d+) g/.exec(text)?.[1]);
  const offers = [...text.matchAll(/^([A-G]): (\d+) g for \$(\d+)\.(\d\d) a pack(.*)\.$/gm)];
  const costs = offers.map(([, letter = '', grams, dollars, cents, rebate = '']) => {
    const price = Number(dollars) * 100 + Number(cents);
    const free = /; every (\d+)(?:rd|th) pack is free$/.exec(rebate)?.[1];
    const from = /; (\d+) % off all packs if you take (\d+) or more$/.exec(rebate);
    const delivery = /, and \$(\d+)\.(\d\d) once for delivery$/.exec(rebate);
    if (rebate !== '' && free === undefined && from === null && delivery === null)
      throw new Error(`not understood: ${rebate}`);
    let [bought, cost] = [0, 0];
    while (bought * Number(grams) < needed) {
      bought += 1;
      if (free === undefined || bought % Number(free) !== 0) cost += price;
    }
    if (from !== null && bought >= Number(from[2])) cost -= (cost * Number(from[1])) / 100;
    if (delivery !== null) cost += Number(delivery[1]) * 100 + Number(delivery[2]);
    return { letter, cost };
  });
  const least = Math.min(...costs.map(({ cost }) => cost));
  return costs.filter(({ cost }) => Math.abs(cost - least) < 1e-6).map(({ letter }) => letter);
}
