import type { Client, Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import { type JobContract, readRowSignal } from '../../base/kernel/kernel.jobs.ts';
import type { WorkflowClient } from '../../base/kernel/ports/workflow-client.ts';
import { debouncePerKey } from '../../base/lib/debounce.ts';

export interface TemporalOptions {
  address: string;
  namespace: string;
  apiKey?: string | undefined;
  log: Logger;
  /** whether calls of a server that does not answer are repeated until their deadline; default true */
  repeatsCalls?: boolean | undefined;
}

/** A signal must not delay a request for long: `reconcile` repeats lost ones. */
const signalDeadlineMs = 3_000;
/**
 * The pause after a debounced signal, as a multiple of the time it took, within these limits. The server serves signals before the
 * workflow's own tasks: a workflow that is signalled ten times a second on a busy server never gets to its next activity.
 */
const shortestPauseMs = 100;
const pausesPerSignal = 10;
const longestPauseMs = 3_000;

/** Workflows on a Temporal server. The library is loaded and the connection made at the first call, so that the api starts without it. */
export function createTemporalClient({
  address,
  namespace,
  apiKey,
  log,
  repeatsCalls = true,
}: TemporalOptions): WorkflowClient {
  interface Opened {
    connection: Connection;
    client: Client;
    sdk: typeof import('@temporalio/client');
  }
  let opened: Promise<Opened> | null = null;
  /** The library takes some 45 MB, and most processes make their first call long after their start. */
  const open = (): Promise<Opened> => {
    opened ??= import('@temporalio/client').then((sdk) => {
      const connection = sdk.Connection.lazy({
        address,
        ...(apiKey && { tls: true, apiKey }),
        // By default the connection repeats calls.
        ...(!repeatsCalls && { interceptors: [] }),
      });
      return { sdk, connection, client: new sdk.Client({ connection, namespace }) };
    });
    return opened;
  };

  /** The client's own retries run on timers; a connection closed under them would end the process. */
  const inFlight = new Set<Promise<boolean>>();
  let isClosing = false;

  const signal = async <Input>(job: JobContract<Input>, input: Input): Promise<boolean> => {
    if (isClosing) return false;
    const sent = send(job, input).finally(() => inFlight.delete(sent));
    inFlight.add(sent);
    return sent;
  };

  const send = async <Input>(job: JobContract<Input>, input: Input): Promise<boolean> => {
    try {
      const { connection, client } = await open();
      await connection.withDeadline(Date.now() + signalDeadlineMs, () =>
        client.workflow.signalWithStart(job.workflow, {
          taskQueue: job.taskQueue,
          workflowId: job.id(input),
          args: [input],
          signal: readRowSignal,
          signalArgs: [],
        }),
      );
      return true;
    } catch (error) {
      log.warn({ err: error, workflowId: job.id(input) }, 'a signal failed; reconcile will repeat it');
      return false;
    }
  };

  const debounced = debouncePerKey<[send: () => Promise<boolean>, workflowId: string]>((send) => send(), {
    keyOf: (_send, workflowId) => workflowId,
    pauseMs: (tookMs) => Math.min(Math.max(shortestPauseMs, pausesPerSignal * tookMs), longestPauseMs),
  });

  return {
    signal,
    signalDebounced: (job, input) => debounced(() => signal(job, input), job.id(input)),
    async request<Input, Output>(job: JobContract<Input>, input: Input, update: string, timeoutMs: number) {
      const { sdk, connection, client } = await open();
      const start = new sdk.WithStartWorkflowOperation(job.workflow, {
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
        const { connection } = await open();
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
      await (await opened)?.connection.close();
    },
  };
}
