import { Rounds } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/services.ts';
import { runTask } from './run-task.ts';
import { claimTasks, type DueTask, nextTaskMs, removeTasks } from './simulator.store.ts';

/** How often a process looks for tasks that another one has stored: as long as the first of them waits. */
const idleMs = 1_000;
const shortestMs = 20;
const tasksAtOnce = 64;
const together = 8;
/** After this time a task is done again, because its process is gone. */
const leaseMs = 20_000;
/** A task that fails is given up when it is this old. */
const givenUpMs = 3_600_000;

/**
 * Does what the simulator is to do later, in every delivery process. A task is removed after it was done, and doing it again has no
 * effect, so that a process that is killed anywhere leaves each consequence once.
 */
export const createSimulatorTasks = (services: Services): Rounds =>
  new Rounds({
    ...{ log: services.log, failure: 'tasks of the simulator could not be done', idleMs, shortestMs },
    round: (isStopped) => runDueTasks(services, isStopped),
  });

/** Does what is due. @returns time until the next task is due; null when none waits */
export async function runDueTasks(
  services: Services,
  isStopped: () => boolean = () => false,
): Promise<number | null> {
  const { durable } = services.database;
  while (!isStopped()) {
    // Most looks find that nothing is due: one statement is enough for them.
    const nextMs = await nextTaskMs(durable);
    if (nextMs === null || nextMs > 0) return nextMs;
    const tasks = await claimTasks(durable, tasksAtOnce, leaseMs);
    // Another process was faster.
    if (tasks.length === 0) return 0;
    // Those of one email one after the other: each locks its row.
    const queues = [...Map.groupBy(tasks, ({ emailId }) => emailId).values()];
    const work = async (): Promise<void> => {
      for (let queue = queues.pop(); queue; queue = queues.pop()) await runAll(services, queue);
    };
    await Promise.all(Array.from({ length: together }, work));
  }
  return null;
}

/** In milliseconds; ids begin with their time. */
const ageOf = ({ id }: DueTask): number => Date.now() - Number.parseInt(id.replace('-', '').slice(0, 12), 16);

async function runAll(services: Services, tasks: readonly DueTask[]): Promise<void> {
  const done: DueTask[] = [];
  for (const task of tasks) {
    try {
      if (await runTask(services, task)) done.push(task);
    } catch (error) {
      if (ageOf(task) > givenUpMs) done.push(task);
      services.log.error(
        { err: error, emailId: task.emailId, kind: task.kind },
        'a task of the simulator failed',
      );
    }
  }
  if (done.length > 0) await removeTasks(services.database.durable, done);
}
