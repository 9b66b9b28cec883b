/** All levels of effort of all providers, the weakest first. No model supports all of them. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
