/** Kinds of jobs that a process of the worker does by itself; those of all others are begun by the workflow engine. */
export const kindsWithoutEngine = { entries: 'enter-workflow', replays: 'webhook-replay' } as const;

const withoutEngine: readonly string[] = Object.values(kindsWithoutEngine);

/** Whether a job has something to do that only the engine begins (behaviour B2.12). */
export const waitsForEngine = ({ kind, state }: { kind: string; state: string }): boolean =>
  state === 'waiting' && !withoutEngine.includes(kind);
