import { describe, expect, it } from 'vitest';
import type { Batches } from '../../../src/models/batch/batches.ts';
import { groupRequests } from '../../../src/models/batch/groups.ts';

const batches = { most: { requests: 3, bytes: 1_000 } } as Batches;
const makeRequest = (body: string, model = 'openai/a', path = '/v1/responses') => ({
  body,
  model,
  path,
  batches,
});

describe('requests that are grouped into batches', () => {
  it('are split by model and by the path of the provider’s API', () => {
    const asked = [
      makeRequest('1'),
      makeRequest('2', 'openai/b'),
      makeRequest('3'),
      makeRequest('4', 'openai/a', '/v1/other'),
    ];
    const groups = groupRequests(asked).map((group) => group.map(({ body }) => body));
    expect(groups).toEqual([['1', '3'], ['2'], ['4']]);
  });

  it('are split further if they exceed the limits of a batch', () => {
    const many = Array.from({ length: 7 }, (_one, index) => makeRequest(String(index)));
    expect(groupRequests(many).map(({ length }) => length)).toEqual([3, 3, 1]);
    const large = Array.from({ length: 3 }, () => makeRequest('ä'.repeat(200)));
    expect(groupRequests(large).map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(groupRequests([makeRequest('x'.repeat(5_000))]).flat()).toHaveLength(1);
    expect(groupRequests([])).toEqual([]);
  });
});
