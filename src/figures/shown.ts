/** What methods of debate have in common: what seats say, and how a result is told and drawn. */

/** A seat, as sentences name it. */
export interface SeatName {
  readonly id: string;
  readonly title: string;
}

/** A seat, and what the seat has said. */
export interface SeatStatement<V> {
  readonly seat: SeatName;
  /** The seat's answer. */
  readonly value: V;
}

/** The result of a method, in sentences. */
export interface MethodResult {
  /** What came out. */
  readonly result: string;
  /** What the seats said before they saw one another's answers. */
  readonly first: string;
  /** What changed on the way, and for which reasons. */
  readonly moved: string;
  /** What could still change the result. */
  readonly turns: string;
  /** How much trust the result deserves. */
  readonly belief: string;
}

/** The result of a method, with a longer text that has the details. */
export interface ToldWithText extends MethodResult {
  /** The answers, claims or statements that the result is about, as Markdown. */
  readonly text: string;
}

/** A table that a method of debate shows as part of its result. */
export interface TableFigure {
  readonly kind: 'table';
  readonly title: string;
  readonly columns: string[];
  readonly rows: string[][];
  readonly note?: string;
}

/**
 * A chart that shows for each row a text before and a text after, such as jurors' votes before and
 * after a debate.
 */
export interface ChangesFigure {
  readonly kind: 'changes';
  readonly title: string;
  /** The rows: a label, the text before and after, and a remark on the change (`text`), which may be empty. */
  readonly rows: { label: string; before: string; after: string; text: string }[];
  readonly note?: string;
}
