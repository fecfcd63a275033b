import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { type StoredHistory, shapeOf, withoutMachine } from './history.ts';
import { toStored } from './history-json.ts';

/** The folder that histories are written to; nothing is recorded without it. */
const folderVariable = 'RECORD_HISTORIES';

export interface HistoryRecorder {
  /** to be given to every worker that runs activities */
  interceptors: { activity: ActivityInterceptorsFactory[] };
  /** Runs `work`, then writes the histories of all workflows whose activities ran, one of each shape. */
  saveAfter<T>(client: Client, work: () => Promise<T>): Promise<T>;
}

/**
 * Notes which workflows a worker runs in a test, and keeps their histories under `npm run histories`. Each history
 * is therefore from a real run, and a workflow without a test has none.
 */
export function createHistoryRecorder(): HistoryRecorder {
  const folder = process.env[folderVariable];
  const runs = new Map<string, { workflowId: string; runId: string; type: string }>();
  return {
    interceptors: {
      activity: [
        ({ info }) => {
          const { workflowType, workflowExecution } = info;
          if (workflowType && workflowExecution)
            runs.set(workflowExecution.runId, { ...workflowExecution, type: workflowType });
          return {};
        },
      ],
    },
    async saveAfter(client, work) {
      const result = await work();
      if (!folder) return result;
      await mkdir(folder, { recursive: true });
      for (const { workflowId, runId, type } of runs.values()) {
        const fetched = await client.workflow.getHandle(workflowId, runId).fetchHistory();
        const text = withoutMachine(toStored(fetched));
        const shape = shapeOf(JSON.parse(text) as StoredHistory).join('\n');
        const hash = createHash('sha256').update(shape).digest('hex').slice(0, 8);
        await writeFile(join(folder, `${type}-${hash}.json`), `${text}\n`);
      }
      return result;
    },
  };
}
