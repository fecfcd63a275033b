/** The longest time that shutdown waits for requests, and for opens and clicks to be stored, in milliseconds. */
export const drainMs = 25_000;

/**
 * The limits of what requests use, in milliseconds. No statement runs longer, so that a few slow ones cannot occupy the pool: migrations use a
 * connection of their own, and the work of the worker has no such limit. One that waits for a lock gives up earlier: it is not too much, and may be
 * sent again. A request waits so long for a thread: its owner may have to pause
 * after slow templates; and so long for a database that restarts or fails over, before anything of it was sent there.
 */
export const apiServices = {
  statementTimeoutMs: 20_000,
  lockTimeoutMs: 10_000,
  taskPatienceMs: 20_000,
  patienceMs: 5_000,
} as const;
