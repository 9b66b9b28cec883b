/**
 * Calls `leave` when the system or the terminal ends the program by a signal. Returns a function
 * that stops listening.
 */
export function leaveOnSignals(leave: (signal: NodeJS.Signals) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, leave);
  return () => {
    for (const signal of signals) process.off(signal, leave);
  };
}
