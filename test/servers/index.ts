/** Servers on 127.0.0.1 that speak the providers' protocols, for all tests that need a server. */

export { type AnthropicOptions, SIGNATURE, startAnthropic } from './anthropic.ts';
export type { Behaviour, BehaviourName, Behaviours, ToolCallingAnswer } from './behaviour.ts';
export { ANSWER, THINKING } from './behaviour.ts';
export type { RecordedRequest, ServerOptions, TestServer } from './http.ts';
export { type OllamaOptions, type OllamaServer, startOllama } from './ollama.ts';
export { startOpenAI } from './openai.ts';
export { type ResponsesOptions, startResponses } from './responses.ts';
