/** What the threads of the pool's tests run. */
import { serveTasks } from './serve-tasks.ts';
import {
  bytesTask,
  echoTask,
  endlessTask,
  failTask,
  hoardTask,
  priorityTask,
  waitTask,
} from './tasks.fixture.ts';

serveTasks([bytesTask, echoTask, endlessTask, failTask, hoardTask, priorityTask, waitTask]);
