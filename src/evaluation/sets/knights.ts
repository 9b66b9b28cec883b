/**
 * Generates puzzles of knights and knaves: knights only tell the truth, knaves only lie. A puzzle is kept
 * only if exactly one assignment fits all statements.
 */
import { NAMES, RandomDraw } from './draw.ts';
import type { Item } from './item.ts';

/** A statement. People are numbered from 0. */
type Statement =
  | { readonly kind: 'is'; readonly who: number; readonly knight: boolean }
  | { readonly kind: 'same'; readonly left: number; readonly right: number; readonly same: boolean }
  | { readonly kind: 'count'; readonly knights: number }
  | {
      readonly kind: 'either';
      readonly left: number;
      readonly right: number;
      readonly knight: boolean;
    }
  | { readonly kind: 'if'; readonly left: number; readonly right: number };

/** Returns whether a statement is true. Bit n of `knights` is set if person n is a knight. */
function isStatementTrue(said: Statement, knights: number): boolean {
  const isKnight = (person: number): boolean => ((knights >> person) & 1) === 1;
  switch (said.kind) {
    case 'is':
      return isKnight(said.who) === said.knight;
    case 'same':
      return (isKnight(said.left) === isKnight(said.right)) === said.same;
    case 'count':
      return countOf(knights) === said.knights;
    case 'either':
      return isKnight(said.left) === said.knight || isKnight(said.right) === said.knight;
    case 'if':
      return !isKnight(said.left) || isKnight(said.right);
  }
}

/** Returns all assignments that fit; `statements[n]` is by person n. Stops after `most`. */
function solutionsOf(statements: readonly Statement[], most = 2): number[] {
  const found: number[] = [];
  for (let knights = 0; knights < 1 << statements.length && found.length < most; knights += 1)
    if (
      statements.every(
        (said, person) => isStatementTrue(said, knights) === (((knights >> person) & 1) === 1),
      )
    )
      found.push(knights);
  return found;
}

function countOf(knights: number): number {
  let count = 0;
  for (let left = knights; left > 0; left >>= 1) count += left & 1;
  return count;
}

/**
 * Generates a puzzle of knights, who tell the truth, and knaves, who lie. At `level` 1 to 5 it has
 * four to eight people.
 */
export function knightsItem(seed: number, index: number, level: number): Item {
  for (let attempt = 0; ; attempt += 1) {
    const draw = new RandomDraw('knights', seed, index, level, attempt);
    const people = level + 3;
    const names = draw.some(NAMES, people);
    const statements = names.map((_name, person) => drawStatement(draw, person, people));
    const [only, other] = solutionsOf(statements);
    if (only === undefined || other !== undefined) continue;
    const said = statements.map(
      (statement, person) => `${names[person]} says: “${formatStatement(statement, names)}”`,
    );
    return {
      id: `knights-${level}-${seed}-${index}`,
      input: [
        `On an island everybody is either a knight, who only says what is true, or a knave, who only says what is false. You meet ${joinNames(names)}.`,
        said.join('\n'),
        `How many of the ${people} are knights?`,
      ].join('\n\n'),
      target: String(countOf(only)),
      kind: 'number',
      meta: { source: 'knights', level, statements },
    };
  }
}

function drawStatement(draw: RandomDraw, speaker: number, people: number): Statement {
  const others = draw.shuffle(
    Array.from({ length: people }, (_none, person) => person).filter(
      (person) => person !== speaker,
    ),
  );
  const [left = 0, right = 0] = others;
  switch (draw.between(0, 5)) {
    case 0:
      return { kind: 'is', who: left, knight: draw.between(0, 1) === 1 };
    case 1:
    case 2:
      return { kind: 'same', left, right, same: draw.between(0, 1) === 1 };
    case 3:
      return { kind: 'count', knights: draw.between(1, people - 1) };
    case 4:
      return { kind: 'either', left, right, knight: draw.between(0, 1) === 1 };
    default:
      return { kind: 'if', left, right };
  }
}

function formatStatement(said: Statement, names: readonly string[]): string {
  const getName = (person: number): string => names[person] ?? '';
  const formatKind = (knight: boolean): string => (knight ? 'a knight' : 'a knave');
  switch (said.kind) {
    case 'is':
      return `${getName(said.who)} is ${formatKind(said.knight)}.`;
    case 'same':
      return `${getName(said.left)} and ${getName(said.right)} are ${said.same ? 'of the same kind' : 'not of the same kind'}.`;
    case 'count':
      return `Exactly ${said.knights} of us ${said.knights === 1 ? 'is a knight' : 'are knights'}.`;
    case 'either':
      return `At least one of ${getName(said.left)} and ${getName(said.right)} is ${formatKind(said.knight)}.`;
    case 'if':
      return `If ${getName(said.left)} is a knight, so is ${getName(said.right)}.`;
  }
}

function joinNames(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
