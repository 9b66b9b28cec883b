/** Tests that the panels of planted pairs fulfil what the measurement assumes. */
import { describe, expect, it } from 'vitest';
import { idsOf, readPanels } from '../../bench/pairs/panels.ts';

describe.each(readPanels())('the panel $name, made to test readers,', (panel) => {
  const { pairs, decoys, statements, roles } = panel;

  it('has five conflicting pairs and two decoys (pairs that only seem to conflict)', () => {
    expect(new Set(pairs.map(({ kind }) => kind)).size).toBe(3);
    expect(pairs).toHaveLength(5);
    expect(decoys).toHaveLength(2);
    expect(Object.keys(statements)).toEqual(Object.keys(roles));
    expect(idsOf(panel)).toHaveLength(14);
  });

  it('pairs statements of two different seats, and uses no statement in two conflicting pairs', () => {
    const said = idsOf(panel);
    const clashing = pairs.flatMap((pair) => pair.clash);
    const thirds = pairs.flatMap(({ third }) => third ?? []);
    for (const id of [...clashing, ...thirds, ...decoys.flat()]) expect(said).toContain(id);
    expect(new Set([...clashing, ...thirds]).size).toBe(clashing.length + thirds.length);
    for (const [one, other] of [...pairs.map((pair) => pair.clash), ...decoys])
      expect(one.replace(/-\d+$/, '')).not.toBe(other.replace(/-\d+$/, ''));
    for (const { kind, third, holds, clash: ids } of pairs) {
      expect(third !== undefined).toBe(kind === 'third');
      if (holds !== undefined) expect(ids).toContain(holds);
    }
    expect(pairs.filter(({ holds }) => holds !== undefined).length).toBeOneOf([2, 3]);
  });

  it('has a solution in which no binding statement (must) loses a conflict', () => {
    const musts = Object.entries(statements).flatMap(([role, every]) =>
      every.flatMap(({ must }, at) => (must ? [`${role}-${at + 1}`] : [])),
    );
    for (const { holds, clash: ids } of pairs)
      if (holds !== undefined) expect(musts).not.toContain(ids[0] === holds ? ids[1] : ids[0]);
  });
});
