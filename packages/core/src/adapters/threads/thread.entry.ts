/** The module that each thread runs. Loading the tasks is work too, so the priority comes first. */
import { lowerPriority } from './thread-priority.ts';

lowerPriority();
await import('./thread-tasks.ts');
