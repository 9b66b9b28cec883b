/** Scrolling and the division of the screen: arithmetic, so tested over all sizes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LayoutDemand, LEAST_COLUMN, layoutOf } from '../../src/console/terminal/layout.ts';
import { FOLLOW, rescaleScroll, scrollBy, windowOf } from '../../src/console/ui/scroll.ts';

describe('a text that is scrolled to its end', () => {
  test('shows the last row, whatever the length of the text', () => {
    for (let length = 0; length < 200; length += 1)
      for (const growing of [true, false]) {
        const { top, rows } = windowOf(FOLLOW, length, 30, growing);
        expect(top + rows).toBeGreaterThanOrEqual(length);
        expect(top).toBeLessThanOrEqual(length);
      }
  });

  test('scrolls only once for every ten new rows while it grows', () => {
    const tops = new Set<number>();
    for (let length = 0; length <= 300; length += 1)
      tops.add(windowOf(FOLLOW, length, 40, true).top);
    expect(tops.size).toBe(1 + 26);
  });

  test('has its last row at the bottom of the window once it has stopped growing', () => {
    expect(windowOf(FOLLOW, 301, 40, false)).toEqual({ top: 261, rows: 40, below: 0 });
  });
});

describe('a text that was scrolled up', () => {
  test('stays in place while the text grows, and counts the rows below', () => {
    expect(windowOf(12, 100, 20, true)).toEqual({ top: 12, rows: 19, below: 69 });
    expect(windowOf(12, 140, 20, true)).toEqual({ top: 12, rows: 19, below: 109 });
  });

  test('counts all rows after the last visible one as rows below, at any length and height', () => {
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.nat(500),
        fc.integer({ min: 2, max: 60 }),
        (hold, length, height) => {
          const { top, rows, below } = windowOf(hold, length, height, true);
          expect(Math.min(top + rows, length) + below).toBe(length);
          expect(below === 0 || rows < height).toBe(true);
        },
      ),
    );
  });

  test('follows new rows again after the person scrolls to the end', () => {
    const follow = windowOf(FOLLOW, 100, 20, false);
    const up = scrollBy(FOLLOW, -1, follow, 100, 20);
    expect(up).toBe(79);
    expect(scrollBy(up, 1, windowOf(up, 100, 20, false), 100, 20)).toBe(FOLLOW);
    expect(scrollBy(FOLLOW, 5, follow, 100, 20)).toBe(FOLLOW);
    expect(scrollBy(3, -10, windowOf(3, 100, 20, false), 100, 20)).toBe(0);
  });

  test('keeps its relative position at another width', () => {
    expect(rescaleScroll(50, 100, 200)).toBe(100);
    expect(rescaleScroll(FOLLOW, 100, 200)).toBe(FOLLOW);
    expect(rescaleScroll(0, 0, 10)).toBe(0);
  });
});

describe('the layout of a run’s screen', () => {
  const demand = fc.record<LayoutDemand>({
    columns: fc.integer({ min: 1, max: 300 }),
    rows: fc.integer({ min: 1, max: 100 }),
    seats: fc.integer({ min: 1, max: 12 }),
    seat: fc.nat(11),
    onSynthesis: fc.boolean(),
    zoomed: fc.boolean(),
    synthesis: fc.constantFrom('none', 'writing', 'written'),
    remarks: fc.nat(3),
    lead: fc.nat(4),
    beside: fc.nat(2),
  });

  test('divides all rows of the screen among title, columns, synthesis, status and keys', () => {
    fc.assert(
      fc.property(demand, (wanted) => {
        const layout = layoutOf({ ...wanted, seat: wanted.seat % wanted.seats });
        if (layout === undefined) {
          expect(wanted.columns < 40 || wanted.rows < 10).toBe(true);
          return;
        }
        const { lead, header, body, synthesis, synthesisBody } = layout;
        const strip = layout.strip ? 1 : 0;
        expect(3 + strip + lead + header + body + synthesis).toBe(wanted.rows);
        const rowsOfText = layout.shown === 0 ? synthesisBody : body;
        expect(rowsOfText).toBeGreaterThan(0);
        expect(layout.shown * layout.cell + Math.max(0, layout.shown - 1)).toBeLessThanOrEqual(
          wanted.columns,
        );
      }),
      {
        // fast-check always tries the smallest screen, too. Of its 10 rows, the tabs take one, and the layout
        // divides 9. The synthesis is below the only visible column.
        examples: [
          [
            {
              columns: 40,
              rows: 9,
              seats: 2,
              seat: 0,
              onSynthesis: false,
              zoomed: false,
              synthesis: 'writing',
              remarks: 0,
              lead: 0,
              beside: 0,
            },
          ],
        ],
      },
    );
  });

  test('never makes a column too narrow to read, and always shows the column with the focus', () => {
    fc.assert(
      fc.property(demand, (wanted) => {
        const seat = wanted.seat % wanted.seats;
        const layout = layoutOf({ ...wanted, seat, onSynthesis: false });
        if (layout === undefined) return;
        expect(layout.shown === 1 || layout.cell >= LEAST_COLUMN).toBe(true);
        expect(seat).toBeGreaterThanOrEqual(layout.first);
        expect(seat).toBeLessThan(layout.first + layout.shown);
      }),
    );
  });
});
