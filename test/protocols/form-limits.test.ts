/** The limits of forms without limits of their own. */
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../src/kernel/call.ts';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { toJsonSchema } from '../../src/models/json-schema.ts';
import { addLimits, lengthProblems } from '../../src/models/providers/limits.ts';
import { askForm } from '../../src/protocols/common/asking/ask-form.ts';
import { planSchema } from '../../src/protocols/team/forms/plan.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';

describe('the default limits of askForm, which asks a model for a structured answer,', () => {
  const seat = { id: 't1', role: 't1', title: 'T1', model: 'openai/alpha', brief: '' };

  async function requestOf(limits?: ModelRequest['limits']): Promise<ModelRequest> {
    const asked: ModelRequest[] = [];
    await askForm(
      async (_key, request) => {
        asked.push(request);
        return { status: 'stopped' } as Reply;
      },
      'plan',
      {
        schema: planSchema,
        request: () => ({
          task: 'team/plan',
          seat,
          messages: [],
          schema: planSchema,
          ...withoutUndefined({ limits }),
        }),
      },
    );
    const [request] = asked;
    if (request === undefined) throw new Error('nothing was asked');
    return request;
  }

  it('allow at most 100 entries in a list for which schema and request set no maximum', async () => {
    const { limits } = await requestOf();
    const { properties } = addLimits(toJsonSchema(planSchema), limits) as {
      properties: Record<string, { maxItems?: number }>;
    };
    expect(properties.requirements?.maxItems).toBe(100);
    // SmolLM2-135M-Instruct wrote these requirements in the plan of a team, until a person stopped it after
    // eight minutes, at entry 129.
    const requirements = Array.from({ length: 129 }, (_, at) => ({
      id: `R${at + 1}`,
      text: 'trying to get a task from a JSON object.',
      proof: 'test',
    }));
    expect(lengthProblems({ requirements }, limits)).toEqual([
      'requirements: more than 100 entries',
    ]);
  });

  it('do not apply to a request with limits of its own', async () => {
    const own = { tokens: 3_000, items: 400 };
    expect((await requestOf(own)).limits).toEqual(own);
  });
});
