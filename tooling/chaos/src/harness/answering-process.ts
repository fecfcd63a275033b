import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A reference in a separate process, called over IPC: one reply per request, one request at a time. */
export interface ReferenceProcess {
  pid: number;
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

export interface ReferenceAnswer {
  value?: unknown;
  error?: string;
}

export async function startReference(
  entry: URL,
  settings: Record<string, string>,
): Promise<ReferenceProcess> {
  const child = fork(entry, [], {
    env: { ...process.env, ...settings },
    execArgv: [],
    serialization: 'advanced',
  });
  const ask = async <Answer>(question: unknown): Promise<Answer> => {
    const answered = once(child, 'message') as Promise<[ReferenceAnswer]>;
    child.send(question as object);
    const ended = once(child, 'exit').then(() => {
      throw new Error(`The reference ${entry.pathname} ended.`);
    });
    ended.catch(() => undefined);
    const [{ value, error }] = await Promise.race([answered, ended]);
    if (error !== undefined) throw new Error(error);
    return value as Answer;
  };
  return {
    pid: child.pid ?? 0,
    ask,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The other end of the channel, inside the reference process. */
export function answerParent<Question>(answer: (question: Question) => Promise<unknown>): void {
  process.on('message', (question: Question) => {
    answer(question).then(
      (value) => process.send?.({ value } satisfies ReferenceAnswer),
      (error: unknown) =>
        process.send?.({ error: error instanceof Error ? (error.stack ?? '') : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
