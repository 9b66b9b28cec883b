/**
 * Whose earlier words a prompt may hold: every method says it in a table, and every prompt is held against
 * it. Each text that a seat says carries a word of its own, a canary, by which it is known again. The long
 * form goes on with other seeds when each row of the table has been seen.
 */
import { describe, expect, it } from 'vitest';
import type { ModelRequest, ModelResult } from '../../src/kernel/model.ts';
import { loadMethod, METHODS } from '../../src/protocols/debate/catalog.ts';
import { makeAnswer } from '../kernel/scripted-models.ts';
import { LONG } from '../long.ts';
import { answerAsStandIn, promptOf, runMethod } from './held.ts';

interface Canary {
  readonly phase: string;
  readonly field: string;
  readonly seat: string;
}

/** Fields whose text names or quotes something, so that an added marker would change what they name. */
const NAMING = new Set([
  'of',
  'quote',
  'because',
  'unit',
  'option',
  'criterion',
  'idea',
  'claim',
  'gut',
  'best',
  'worst',
]);
/** A confidence that no seat gives by chance. Prompts must never show it. */
const CONFIDENCE = 73.137;
const NEVER_SAID = /Seat \d|seat-\d|\bJudge\b|73\.137/;

/** Answers of the stand-in in which every text can be known again. */
class Canaries {
  readonly said = new Map<string, Canary>();

  answer(asked: ModelRequest): ModelResult {
    const reply = answerAsStandIn(asked);
    if (reply.status !== 'done') return reply;
    if (asked.schema === undefined) return makeAnswer(`${reply.text} ${this.#next(asked, 'text')}`);
    const markValue = (value: unknown, field: string): unknown => {
      if (Array.isArray(value)) return value.map((item) => markValue(item, field));
      if (typeof value === 'object' && value !== null)
        return Object.fromEntries(
          Object.entries(value).map(([key, item]) => [key, markValue(item, key)]),
        );
      if (field === 'confidence') return CONFIDENCE;
      if (typeof value !== 'string' || NAMING.has(field) || value.trim() === '') return value;
      const marked = `${value} ${this.#next(asked, field)}`;
      return marked;
    };
    const value = markValue(reply.value, '');
    // To find out which prompts contain a text of an answer, a marker is added to the text. If the schema
    // refuses the marked answer, because some fields allow only certain values, add markers only to the texts
    // that the schema allows to be changed.
    const checked = asked.schema.safeParse(value);
    const kept = checked.success ? value : this.#onlyWhereItMay(asked, reply.value);
    return makeAnswer(JSON.stringify(kept), { value: kept });
  }

  /** Returns a value with a marker in each text that the schema allows to be changed. */
  #onlyWhereItMay(asked: ModelRequest, plain: unknown): unknown {
    const walkValue = (value: unknown, field: string, put: (one: unknown) => unknown): unknown => {
      if (Array.isArray(value))
        return value.map((item, at) => walkValue(item, field, (now) => put(value.with(at, now))));
      if (typeof value === 'object' && value !== null) {
        let current: Record<string, unknown> = { ...value };
        for (const [key, item] of Object.entries(value))
          current = {
            ...current,
            [key]: walkValue(item, key, (now) => put({ ...current, [key]: now })),
          };
        return current;
      }
      if (typeof value !== 'string' || NAMING.has(field) || value.trim() === '') return value;
      const marked = `${value} ${this.#next(asked, field)}`;
      return asked.schema?.safeParse(put(marked)).success === true ? marked : value;
    };
    return walkValue(plain, '', (now) => now);
  }

  #next({ task, seat }: ModelRequest, field: string): string {
    const token = `zq${(this.said.size + 100_000).toString(36)}`;
    this.said.set(token, { phase: phaseOf(task), field, seat: seat.id });
    return token;
  }

  in(prompt: string): Canary[] {
    return [...prompt.matchAll(/\bzq[0-9a-z]+\b/g)].flatMap(
      ([token]) => this.said.get(token) ?? [],
    );
  }
}

function phaseOf(task: string): string {
  return task.slice(task.indexOf('/') + 1);
}

function isAllowed(
  table: readonly string[],
  { phase, field, seat }: Canary,
  reader: string,
): boolean {
  const names = [phase, `${phase}.${field}`];
  return table.some(
    (entry) =>
      names.includes(entry) || (seat === reader && names.includes(entry.replace(/^own:/, ''))),
  );
}

/** Returns false for the entries of units, such as `measure.unit`, which get no canary (see `NAMING`). */
const hasCanary = (entry: string): boolean => !entry.endsWith('.unit');

/** The names of all built-in methods. */
const NAMES = [...METHODS.keys()];

describe.each(NAMES)('each built-in method (%s)', (method) => {
  it('shows in each phase only the earlier texts that the method’s list for this phase names', async () => {
    const { phases = {}, name } = await loadMethod(method);
    expect(Object.keys(phases)).not.toEqual([]);
    const seen = new Set<string>();
    const listNeverSeen = () =>
      Object.entries(phases).flatMap(([phase, table]) =>
        table
          .filter(hasCanary)
          .map((entry) => `${phase}: ${entry}`)
          .filter((row) => !seen.has(row)),
      );
    for (const seed of [1, 2, 3]) {
      if (!LONG && seed > 1 && listNeverSeen().length === 0) break;
      const canaries = new Canaries();
      const { ended, models } = await runMethod(method, (asked) => canaries.answer(asked), {
        seed,
      });
      expect(ended).toEqual({ status: 'done' });
      for (const asked of models.requests) {
        const phase = phaseOf(asked.task);
        const table = phases[phase] ?? expect.fail(`${name} has no row for ${phase}`);
        const prompt = promptOf(asked);
        const strangers = canaries
          .in(prompt)
          .filter((canary) => !isAllowed(table, canary, asked.seat.id))
          .map(
            (canary) =>
              `${canary.seat === asked.seat.id ? 'own:' : ''}${canary.phase}.${canary.field}`,
          );
        expect([phase, [...new Set(strangers)]]).toEqual([phase, []]);
        expect(prompt).not.toMatch(NEVER_SAID);
        for (const entry of table)
          if (canaries.in(prompt).some((canary) => isAllowed([entry], canary, asked.seat.id)))
            seen.add(`${phase}: ${entry}`);
      }
    }
    // A method lists the earlier texts that the prompts of each phase may show. Every listed text must be seen in a
    // prompt, because a permission that is not needed could hide a leak.
    expect(listNeverSeen()).toEqual([]);
  });

  it('repeats no call when it is resumed from its log', async () => {
    const { models, again, conclusion, facts } = await runMethod(method, answerAsStandIn);
    const asked = models.requests.length;
    await again();
    expect(models.requests.length).toBe(asked);
    expect(conclusion).not.toBe('');
    expect(facts.filter(({ type }) => type === 'outcome.reached')).toHaveLength(1);
  });
});
