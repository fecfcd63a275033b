import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import type { Logger } from 'pino';
import { type JobContract, readRowSignal } from '../../kernel/kernel.jobs.ts';
import type { WorkflowClient } from '../../kernel/ports/workflow-client.ts';

export interface TemporalOptions {
  address: string;
  namespace: string;
  apiKey?: string | undefined;
  log: Logger;
}

/** A hint must not hold a request for long; what it asks for is found by `reconcile` too. */
const hintDeadlineMs = 3_000;
/**
 * Wakes of one workflow are gathered to one signal for at least this time, and for so many times what the last signal took. The server
 * lets signals go before the workflow's own tasks: a busy one that is woken ten times a second never hands out its next activity.
 */
const shortestWakeMs = 100;
const wakePauses = 10;
const longestWakeMs = 3_000;

/** Workflows on a Temporal server. The connection is made at the first call, so that the api starts without it. */
export function createTemporalClient({ address, namespace, apiKey, log }: TemporalOptions): WorkflowClient {
  const connection = Connection.lazy(apiKey ? { address, tls: true, apiKey } : { address });
  const client = new Client({ connection, namespace });
  const waking = new Map<string, { again: boolean }>();

  /** The client's own retries run on timers; a connection closed under them would end the process. */
  const inFlight = new Set<Promise<void>>();
  let isClosing = false;

  const signal = async <Input>(job: JobContract<Input>, input: Input): Promise<void> => {
    if (isClosing) return;
    const hint = send(job, input).finally(() => inFlight.delete(hint));
    inFlight.add(hint);
    return hint;
  };

  const send = async <Input>(job: JobContract<Input>, input: Input): Promise<void> => {
    try {
      await connection.withDeadline(Date.now() + hintDeadlineMs, () =>
        client.workflow.signalWithStart(job.workflow, {
          taskQueue: job.taskQueue,
          workflowId: job.id(input),
          args: [input],
          signal: readRowSignal,
          signalArgs: [],
        }),
      );
    } catch (error) {
      log.warn({ err: error, workflowId: job.id(input) }, 'a signal failed; reconcile will repeat it');
    }
  };

  const signalDebounced = <Input>(job: JobContract<Input>, input: Input): void => {
    const id = job.id(input);
    const open = waking.get(id);
    if (open) {
      open.again = true;
      return;
    }
    const state = { again: false };
    waking.set(id, state);
    const begun = performance.now();
    void signal(job, input).then(() => {
      const tookMs = performance.now() - begun;
      const pauseMs = Math.min(Math.max(shortestWakeMs, wakePauses * tookMs), longestWakeMs);
      const timer = setTimeout(() => {
        waking.delete(id);
        if (state.again) signalDebounced(job, input);
      }, pauseMs);
      timer.unref();
    });
  };

  return {
    signal,
    signalDebounced,
    async request<Input, Output>(job: JobContract<Input>, input: Input, update: string, timeoutMs: number) {
      const start = new WithStartWorkflowOperation(job.workflow, {
        taskQueue: job.taskQueue,
        workflowId: job.id(input),
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      return connection.withDeadline(
        Date.now() + timeoutMs,
        async () =>
          (await client.workflow.executeUpdateWithStart(update, {
            startWorkflowOperation: start,
            args: [],
          })) as Output,
      );
    },
    async healthy() {
      try {
        await connection.withDeadline(Date.now() + 2_000, () => connection.healthService.check({}));
        return true;
      } catch (error) {
        log.debug({ err: error }, 'the workflow engine does not answer');
        return false;
      }
    },
    async close() {
      isClosing = true;
      await Promise.all(inFlight);
      await connection.close();
    },
  };
}
