import { oneOf, protocol, quote, shuffle, z } from 'deliberate/protocol';

const median = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

export default protocol({
  name: 'pre-mortem',
  settings: z.object({ causes: z.number().int().min(1).max(5).default(2) }),
  seats: {
    seer: {
      brief: 'You imagine how plans fail, and are concrete about it.',
      many: { least: 2, usual: 3, most: 7 },
    },
    sorter: 'You are not on the panel. You sort what others wrote.',
  },
  texts: {
    imagine:
      'A year has passed and the plan has failed. Name what caused it, each cause in one sentence.',
    likely:
      'For each cause, under its id, say how likely it is to make the plan fail, in percent. Name the one to remove first.',
  },
  phases: { imagine: [], same: ['imagine.causes'], likely: ['imagine.causes'] },
  calls: (_settings, ids) => [2 * (ids.length - 1), 4 * (ids.length - 1) + 2],
  async run({ seats, settings, texts, prompt, askAll, ledger, group, gate, show, conclude }) {
    // 1. Blind: each seat imagines the failure.
    const panel = seats.filter(({ role }) => role === 'seer');
    const atMost = `At most ${settings.causes} of them.`;
    const imagined = await askAll('imagine', panel, () => prompt(texts.imagine, atMost), {
      schema: z.object({ causes: z.array(z.string().min(1)).min(1).max(settings.causes) }),
      check: ({ causes }) =>
        new Set(causes).size < causes.length ? 'You named a cause twice.' : undefined,
      least: 2,
    });
    // 2. Every cause gets an id; those that say the same are joined off the panel.
    const causes = ledger('causes', 'C');
    await causes.addAll('causes', imagined, (value) => value.causes.map((text) => ({ text })));
    const { groups } = await group('same', 'sorter', causes.entries, { of: 'causes' });
    for (const [kept, ...others] of groups) {
      for (const id of others)
        await causes.mark(`joined/${id}`, id, 'joined', `It says the same as ${kept}.`);
    }
    const shared = groups.filter((ids) => ids.length > 1);
    const options = [
      { value: 'all', label: 'All' },
      { value: 'shared', label: 'Those that were named more than once' },
    ];
    const scope = await gate('scope', 'Which causes are to be marked?', {
      options,
      default: 'all',
    });
    const kept = scope.value === 'shared' && shared.length > 0 ? shared : groups;
    const items = causes.entries.filter(({ id }) => kept.some(([first]) => first === id));
    // 3. Each marks each cause under its id, blind to the marks and to who named it.
    const marked = await askAll(
      'likely',
      imagined.map(({ seat }) => seat),
      ({ id }) =>
        prompt(
          texts.likely,
          quote(...shuffle(items, `likely/${id}`).map(({ id: from, text }) => ({ from, text }))),
        ),
      {
        schema: z.object({
          percent: z.object(
            Object.fromEntries(items.map(({ id }) => [id, z.number().int().min(0).max(100)])),
          ),
          remove: oneOf(items),
        }),
        least: 2,
      },
    );
    // 4. What can be counted is counted.
    const rows = items.map(({ id, text }) => {
      const all = marked.map(({ value }) => value.percent[id]);
      const named = kept.find(([first]) => first === id)?.length;
      const removed = marked.filter(({ value }) => value.remove === id).length;
      return {
        id,
        text,
        named,
        removed,
        low: Math.min(...all),
        mid: median(all),
        high: Math.max(...all),
      };
    });
    const ranked = rows.toSorted((a, b) => b.mid - a.mid || b.removed - a.removed);
    const [top, next] = ranked;
    await show('likelihood', {
      kind: 'ranges',
      title: 'How likely each cause is, in percent',
      scale: 'linear',
      rows: ranked.map(({ id: label, low, mid, high }) => ({ label, low, mid, high })),
    });
    await show('remove', {
      kind: 'bars',
      title: 'Which to remove first',
      rows: ranked.map(({ id: label, removed: value }) => ({ label, value })),
    });
    for (const { id, mid, low, high } of ranked)
      await causes.mark(`marked/${id}`, id, 'marked', `${mid}% (${low} to ${high})`);
    const first = rows.toSorted((a, b) => b.named - a.named)[0];
    return conclude({
      result: `If it fails, most likely by ${top.id}, at ${top.mid}%: ${top.text}`,
      first:
        first.named > 1
          ? `${first.id} was named most often, ${first.named} times`
          : 'no cause was named twice',
      moved:
        first.id === top.id
          ? 'nothing: the likeliest cause led from the start'
          : `the marks put ${top.id} first`,
      turns: next
        ? `${top.mid - next.mid} points less for ${top.id}, and ${next.id} leads`
        : 'nothing: there is one cause',
      belief: `${top.id} was marked from ${top.low}% to ${top.high}% by ${marked.length} of ${panel.length} seats`,
    });
  },
});
