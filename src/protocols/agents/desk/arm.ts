/** Lets agents be arms of an evaluation: `agent:NAME`, and the single model, which gets only the question. */
import type { ArmMaker, FinalText } from '../../../app/evaluation/arm-maker.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { ANSWER_TOKENS, fixedSpan, ONCE, planCalls } from '../../../kernel/estimate.ts';
import type { Seat } from '../../../kernel/model.ts';
import { estimateTokens } from '../../../kernel/tokens.ts';
import { viewOf } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import type { AgentConfig } from '../agent-run.ts';
import { Catalog } from '../files/catalog.ts';
import { agentsOf } from '../fold.ts';
import { CONTEXT_TOKENS, reportProjectAgents, selectToolNames, throwOnErrors } from './convene.ts';

/**
 * The functions by which an evaluation lets an agent answer, as one of the ways to answer (arms) that it
 * compares. This arm is called `agent:NAME`, where NAME is the name of the agent.
 */
export const arm: ArmMaker = {
  seat({ call, detail, model, player, looks, offered }) {
    if (detail === '')
      throw new UsageError('the arm agent needs the name of an agent', 'Example: agent:triage');
    const catalog = Catalog.open(call);
    const root = catalog.find(detail);
    const involved = catalog.below(root);
    throwOnErrors(
      catalog.problems.filter(({ file }) => involved.some((agent) => agent.file === file)),
    );
    reportProjectAgents(call, involved);
    const seats = involved.map(
      ({ id, title, brief, temperature, effort }, index): Seat => ({
        id,
        role: id,
        title,
        // The agent that the arm names gets the model that is evaluated, because this agent usually writes the
        // final answer.
        model: id === root.id ? model : player(index - 1),
        brief,
        ...withoutUndefined({ temperature, effort }),
      }),
    );
    const config: Omit<AgentConfig, 'seed'> = {
      root: root.id,
      agents: Object.fromEntries(
        involved.map(({ id, description, tools }) => [
          id,
          {
            description,
            ...entryOf(catalog.graph, id),
            ...(tools === undefined || !looks ? {} : { tools: selectToolNames(tools, offered) }),
          },
        ]),
      ),
      contextTokens: CONTEXT_TOKENS,
    };
    return { protocol: 'agent', seats, config };
  },
  finalText,
  firstAnswers(facts) {
    const { root = '', agents } = agentsOf(facts);
    const advisors = Object.values(agents).filter(
      ({ parent, why }) => why === 'advisor' && parent === root,
    );
    return advisors.map(({ agent, text = '' }) => ({ seat: agent, text }));
  },
};

const SEAT = 'answer';

/**
 * The functions by which an evaluation lets a single model answer with one call, as one of the ways to answer (arms)
 * that it compares. The model gets only the question. The name of this arm may end with a colon and the model's
 * thinking effort.
 */
export const singleModelArm: ArmMaker = {
  seat({ model, detail }) {
    const seats: Seat[] = [
      {
        id: SEAT,
        role: SEAT,
        title: 'Answer',
        model,
        brief: '',
        ...(detail === '' ? {} : { effort: detail }),
      },
    ];
    const config: Omit<AgentConfig, 'seed'> = {
      root: SEAT,
      agents: { [SEAT]: { description: '' } },
      contextTokens: CONTEXT_TOKENS,
    };
    return {
      protocol: 'agent',
      seats,
      config,
      plan: (question) => [
        planCalls(SEAT, 'Answer', model, [
          { calls: ONCE, prompt: fixedSpan(estimateTokens(question)), answer: ANSWER_TOKENS },
        ]),
      ],
    };
  },
  finalText,
  firstAnswers: () => [],
};

function finalText(facts: readonly AnyFact[]): FinalText | undefined {
  const { root = '', agents } = agentsOf(facts);
  const { text, answeredBy } = entryOf(agents, root) ?? {};
  if (text === undefined || text === '') return undefined;
  const { seats } = viewOf(facts);
  const model = (seats.find(({ id }) => id === answeredBy) ?? seats[0])?.model;
  return model === undefined ? undefined : { text, model };
}
