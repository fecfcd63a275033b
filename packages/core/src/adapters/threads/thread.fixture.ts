/** What the threads of the pool's tests run. */
import { serveTasks } from './serve-tasks.ts';
import {
  bytesTask,
  echoTask,
  endlessTask,
  failTask,
  hoardTask,
  lengthTask,
  priorityTask,
  stepsTask,
  threadIdTask,
  waitTask,
} from './tasks.fixture.ts';
import { lowerPriority } from './thread-priority.ts';

lowerPriority();
serveTasks([
  bytesTask,
  echoTask,
  endlessTask,
  failTask,
  hoardTask,
  lengthTask,
  priorityTask,
  stepsTask,
  threadIdTask,
  waitTask,
]);
