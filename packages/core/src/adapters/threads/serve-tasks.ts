import { parentPort, workerData } from 'node:worker_threads';
import { environmentCode } from '../../base/kernel/environment-error.ts';
import { createSecrets } from '../../base/kernel/secrets.ts';
import type { AnyTask, TaskMessage, ThreadData, ThreadMessage } from './messages.ts';

/** Runs tasks in this thread, one after the other. */
export function serveTasks(tasks: readonly AnyTask[]): void {
  const port = parentPort;
  if (!port) throw new Error('Tasks are served by a thread.');
  const { linksUrl, secret, previousSecrets } = workerData as ThreadData;
  const context = { linksUrl, secrets: createSecrets(secret, previousSecrets) };
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const send = (message: ThreadMessage, moved: ArrayBuffer[] = []): void => port.postMessage(message, moved);

  const run = async ({ task: name, input }: TaskMessage): Promise<void> => {
    try {
      const task = byName.get(name);
      if (!task) throw new Error(`no thread runs the task ${name}`);
      const output: unknown = await task.run(input, context);
      send({ kind: 'done', cpuMs: cpuMs(), output }, task.moves?.(output));
    } catch (error) {
      // A copy of an error has no code.
      send({ kind: 'failed', cpuMs: cpuMs(), error, code: environmentCode(error) });
    }
  };
  port.on('message', (message: TaskMessage) => void run(message));
  send({ kind: 'ready', cpuMs: cpuMs() });
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
