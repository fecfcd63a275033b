import { fork } from 'node:child_process';
import { once } from 'node:events';
import { strippedFlags } from '@postrider/local/stripped-flags';

/** A separate process that answers over IPC: one reply per request, one request at a time. */
export interface AnsweringProcess {
  pid: number;
  ask<Value>(question: unknown): Promise<Value>;
  stop(): Promise<void>;
}

export interface Answer {
  value?: unknown;
  error?: string;
}

export async function startAnswering(
  entry: URL,
  settings: Record<string, string> = {},
): Promise<AnsweringProcess> {
  const child = fork(entry, [], {
    env: { ...process.env, ...settings },
    execArgv: strippedFlags(),
    serialization: 'advanced',
  });
  const ask = async <Value>(question: unknown): Promise<Value> => {
    const answered = once(child, 'message') as Promise<[Answer]>;
    child.send(question as object);
    const ended = once(child, 'exit').then(() => {
      throw new Error(`The process ${entry.pathname} ended.`);
    });
    ended.catch(() => undefined);
    const [{ value, error }] = await Promise.race([answered, ended]);
    if (error !== undefined) throw new Error(error);
    return value as Value;
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

/** The other end of the channel, inside that process. */
export function answerParent<Question>(answer: (question: Question) => Promise<unknown>): void {
  process.on('message', (question: Question) => {
    answer(question).then(
      (value) => process.send?.({ value } satisfies Answer),
      (error: unknown) =>
        process.send?.({ error: error instanceof Error ? (error.stack ?? '') : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
