/** Levels of effort by all names that providers have for them, weakest first. No model knows all. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
