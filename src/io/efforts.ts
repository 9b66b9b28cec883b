/**
 * All levels of effort (how long a model thinks before it answers) of all providers, the lowest
 * first. No single model supports all of them.
 */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
