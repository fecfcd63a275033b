import { existsSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** A third of the processor time of the other threads, where both want it (Linux, sched(7)). */
const threadNiceness = 5;
const lowest = 19;

/** The id of the calling thread; null where the system has no priorities for single threads. */
function threadId(): number | null {
  const link = '/proc/thread-self';
  return process.platform === 'linux' && existsSync(link) ? Number(basename(readlinkSync(link))) : null;
}

/**
 * Rendering is never more urgent than answering a request or a mail server: the calling thread gives way to threads that do. Linux
 * weighs threads within one scheduling group, which is a container's or, with `kernel.sched_autogroup_enabled`, a session's (sched(7)):
 * between processes of different groups the priority has no effect.
 */
export function lowerPriority(): void {
  const id = threadId();
  if (id !== null) setPriority(id, Math.min(lowest, getPriority(id) + threadNiceness));
}
