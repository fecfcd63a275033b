import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  byRecipient,
  type SinkBehaviour,
  type SinkMessage,
  type SinkOptions,
  type SinkSummary,
} from './sink.ts';
import type { SinkAnswer, SinkRequest } from './sink-main.ts';
import { strippedFlags } from './stripped-flags.ts';

/** The sink in a separate process, so that its cost is not part of a sender's measurement. */
export interface SinkProcess {
  port: number;
  url: string;
  pid: number;
  messages(): Promise<SinkMessage[]>;
  find(emailIds: readonly string[]): Promise<SinkMessage[]>;
  summarize(every: number): Promise<SinkSummary>;
  byRecipient(): Promise<Map<string, SinkMessage[]>>;
  refusals(): Promise<{ deferred: Map<string, number>; rejected: Map<string, number> }>;
  /** The number of all messages: cheaper than `messages` while a run is watched. */
  count(): Promise<number>;
  setBehaviour(change: Partial<SinkBehaviour>): Promise<void>;
  clear(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSinkProcess(options: SinkOptions = {}): Promise<SinkProcess> {
  const main = fileURLToPath(new URL('./sink-main.ts', import.meta.url));
  const child = fork(main, [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
    execArgv: strippedFlags(),
  });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;

  child.on('message', (answer: SinkAnswer) => {
    const call = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error === undefined) call?.resolve(answer.value);
    else call?.reject(new Error(answer.error));
  });
  child.once('exit', (code, signal) => {
    for (const call of waiting.values()) call.reject(new Error(`The sink ended (${signal ?? code}).`));
    waiting.clear();
  });

  const ask = (request: SinkRequest): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      child.send({ id, ...request }, (error) => {
        if (error) reject(error);
      });
    });

  const port = (await ask({ call: 'start', options })) as number;
  const messages = async () => (await ask({ call: 'messages' })) as SinkMessage[];
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    messages,
    find: async (emailIds) => (await ask({ call: 'find', emailIds })) as SinkMessage[],
    summarize: async (every) => (await ask({ call: 'summarize', every })) as SinkSummary,
    byRecipient: async () => byRecipient(await messages()),
    refusals: async () =>
      (await ask({ call: 'refusals' })) as { deferred: Map<string, number>; rejected: Map<string, number> },
    count: async () => (await ask({ call: 'count' })) as number,
    setBehaviour: async (change) => void (await ask({ call: 'setBehaviour', change })),
    clear: async () => void (await ask({ call: 'clear' })),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
