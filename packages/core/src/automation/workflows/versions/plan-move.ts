import type { CommandContext } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import type { WorkflowDefinition } from '../definitions/definition.rules.ts';
import { readDefinitionsOf } from '../definitions/read-definitions.store.ts';
import type { WorkflowRow } from '../workflows.store.ts';
import { type MoveRule, timerChange } from './move.rules.ts';
import type { MoveTask } from './move-job.store.ts';
import { insertMoveJob } from './move-job.store.ts';
import { countAtStepsByVersion } from './versions.store.ts';

export interface MovePlan {
  /** executions whose place or time is rewritten */
  moved: number;
  /** @returns the id of the job that does so */
  insertJob(version: number): Promise<string>;
}

/** Which executions a move has to rewrite: those at a step that is gone, and those whose wait changes. All others read a pointer. */
export async function planMove(
  ctx: CommandContext,
  workflow: WorkflowRow,
  { steps }: WorkflowDefinition,
  rule: MoveRule,
  people: ReadonlyMap<string, number>,
): Promise<MovePlan> {
  const { id: workflowId, projectId } = workflow;
  const tasks: MoveTask[] = [];
  let moved = 0;
  for (const [stepId, target] of Object.entries(rule.removed)) {
    tasks.push({ stepId, versions: null, place: target });
    moved += people.get(stepId) ?? 0;
  }
  const waiting = steps.filter(
    ({ id, type }) => people.has(id) && (type === 'DELAY' || type === 'WAIT_FOR_EVENT'),
  );
  const at = await countAtStepsByVersion(
    ctx.db,
    workflow,
    waiting.map(({ id }) => id),
  );
  const definitions = await readDefinitionsOf(
    ctx.db,
    [...new Set(at.map(({ runs }) => runs))].map((version) => ({ workflowId, version })),
  );
  for (const after of waiting) {
    for (const { version, runs, people: count } of at.filter(({ stepId }) => stepId === after.id)) {
      const before = definitions({ workflowId, version: runs })?.runs.steps.find(({ id }) => id === after.id);
      const timer = before ? timerChange(before, after, rule.timers) : null;
      if (!timer) continue;
      tasks.push({ stepId: after.id, versions: [version], timer });
      moved += count;
    }
  }
  return {
    moved,
    async insertJob(version) {
      const jobId = newId();
      await insertMoveJob(ctx.db, {
        id: jobId,
        projectId,
        input: { workflowId, version, total: moved, tasks },
      });
      return jobId;
    },
  };
}
