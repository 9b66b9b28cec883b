/**
 * The schema of Inspect's `EvalLog`, version 2, written after its Python classes in
 * src/inspect_ai/log/_log.py, model/_model_output.py, model/_chat_message.py and scorer/_metric.py. Fields
 * without a default are required, and words are those of their `Literal`s. The schema is stricter than
 * Inspect: it refuses fields that Inspect ignores, and fields that this program never writes.
 */
import { z } from 'zod';

const anything = z.record(z.string(), z.unknown());
const whole = z.number().int();
/** A time with its zone, in a form that `datetime.fromisoformat` of every Python since 3.7 reads. */
const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);

const usage = z.strictObject({
  input_tokens: whole.default(0),
  output_tokens: whole.default(0),
  total_tokens: whole.default(0),
  input_tokens_cache_write: whole.nullable().default(null),
  input_tokens_cache_read: whole.nullable().default(null),
  reasoning_tokens: whole.nullable().default(null),
  total_cost: z.number().nullable().default(null),
});
const usages = z.record(z.string(), usage).default({});

const generateConfig = z.strictObject({});

const config = z.strictObject({
  limit: z
    .union([whole, z.tuple([whole, whole])])
    .nullable()
    .default(null),
  sample_shuffle: z.union([z.boolean(), whole]).nullable().default(null),
  epochs: whole.nullable().default(null),
  epochs_reducer: z.array(z.string()).nullable().default(null),
  fail_on_error: z.union([z.boolean(), z.number()]).nullable().default(null),
});

const error = z.strictObject({
  message: z.string(),
  traceback: z.string(),
  traceback_ansi: z.string(),
});

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const score = z.strictObject({
  value: z.union([scalar, z.array(scalar), z.record(z.string(), scalar.nullable())]),
  answer: z.string().nullable().default(null),
  explanation: z.string().nullable().default(null),
  metadata: anything.nullable().default(null),
});

const output = z.strictObject({
  model: z.string().default(''),
  choices: z
    .array(
      z.strictObject({
        message: z.strictObject({
          id: z.string().nullable().default(null),
          content: z.string(),
          source: z.enum(['input', 'generate']).nullable().default(null),
          metadata: anything.nullable().default(null),
          role: z.literal('assistant'),
          model: z.string().nullable().default(null),
        }),
        stop_reason: z.enum([
          ...['stop', 'max_tokens', 'model_length', 'tool_calls', 'content_filter', 'unknown'],
        ] as const),
      }),
    )
    .default([]),
  completion: z.string().default(''),
  usage: usage.nullable().default(null),
  time: z.number().nullable().default(null),
  metadata: anything.nullable().default(null),
  error: z.string().nullable().default(null),
});

const sample = z.strictObject({
  id: z.union([whole, z.string()]),
  epoch: whole,
  input: z.string(),
  choices: z.array(z.string()).nullable().default(null),
  target: z.union([z.string(), z.array(z.string())]),
  messages: z.array(z.never()).default([]),
  output,
  scores: z.record(z.string(), score).nullable().default(null),
  metadata: anything.default({}),
  store: anything.default({}),
  events: z.array(z.never()).default([]),
  model_usage: usages,
  role_usage: usages,
  uuid: z.string().nullable().default(null),
  error: error.nullable().default(null),
  attachments: z.record(z.string(), z.string()).default({}),
});

const step = z.strictObject({ solver: z.string(), params: anything.default({}) });

/** The schema of an evaluation's log in the format of Inspect, another program for evaluations. */
export const evalLog = z.strictObject({
  version: z.literal(2),
  status: z.enum(['started', 'success', 'cancelled', 'error']),
  eval: z.strictObject({
    eval_id: z.string().min(1),
    run_id: z.string().min(1),
    created: moment,
    task: z.string(),
    task_id: z.string().min(1),
    task_version: z.union([whole, z.string()]).default(0),
    task_args: anything.default({}),
    solver: z.string().nullable().default(null),
    tags: z.array(z.string()).nullable().default(null),
    dataset: z.strictObject({
      name: z.string().nullable().default(null),
      location: z.string().nullable().default(null),
      samples: whole.nullable().default(null),
      sample_ids: z
        .union([z.array(z.string()), z.array(whole)])
        .nullable()
        .default(null),
      shuffled: z.boolean().nullable().default(null),
    }),
    model: z.string(),
    model_args: anything.default({}),
    config,
    packages: z.record(z.string(), z.string()).default({}),
    metadata: anything.nullable().default(null),
  }),
  plan: z.strictObject({
    name: z.string().default('plan'),
    steps: z.array(step).default([]),
    finish: step.nullable().default(null),
    config: generateConfig,
  }),
  results: z
    .strictObject({
      total_samples: whole.default(0),
      completed_samples: whole.default(0),
      scores: z
        .array(
          z.strictObject({
            name: z.string(),
            scorer: z.string(),
            reducer: z.string().nullable().default(null),
            scored_samples: whole.nullable().default(null),
            unscored_samples: whole.nullable().default(null),
            params: anything.default({}),
            metrics: z
              .record(
                z.string(),
                z.strictObject({
                  name: z.string(),
                  value: z.number(),
                  params: anything.default({}),
                  metadata: anything.nullable().default(null),
                }),
              )
              .default({}),
            metadata: anything.nullable().default(null),
          }),
        )
        .default([]),
    })
    .nullable()
    .default(null),
  stats: z.strictObject({
    started_at: z.union([moment, z.literal('')]),
    completed_at: z.union([moment, z.literal('')]),
    model_usage: usages,
    role_usage: usages,
  }),
  samples: z.array(sample).nullable().default(null),
});

/**
 * The order of the fields in a log of Inspect. When Inspect reads only the beginning of a log, it expects this
 * order and stops before the samples.
 */
export const LOG_FIELDS = ['version', 'status', 'eval', 'plan', 'results', 'stats', 'samples'];
