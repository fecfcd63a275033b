import type { z } from 'zod';
import {
  countHere,
  countHereBy,
  endsOfRow,
  type FigureScope,
  figureSteps,
  findWorkflow,
  sumStepFigures,
  workflowIdOf,
  workflowNotFound,
  workflowSeries,
} from '../../automation/workflows/index.ts';
import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { quartersOf, runsOf } from './buckets.rules.ts';
import { noSums, sumFigures } from './figures.store.ts';
import { goalFigures, goalOfBranches } from './goals/workflow-goals.ts';
import { periodOf } from './period.rules.ts';
import { withRates } from './rates.rules.ts';
import { executionFiguresOf, stepFiguresOf } from './workflow-figures.rules.ts';
import { workflowFigures, workflowFiguresInput } from './workflow-figures.schema.ts';

export const getWorkflowFigures = query({
  name: 'workflows.getFigures',
  summary: 'Counts what the executions of a workflow did in a period, in all and at each step',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND'],
  input: workflowFiguresInput,
  output: workflowFigures,
  async handler(
    ctx,
    { id: named, from, to, tz = 'UTC', version = null },
  ): Promise<z.input<typeof workflowFigures>> {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    const workflow = await findWorkflow(ctx.db, projectId, id);
    if (!workflow) throw workflowNotFound();
    const scope: FigureScope = { projectId, workflowId: id, version };
    const period = quartersOf(periodOf({ from, to }, new Date()));
    const days = runsOf(period, tz, 'day');
    const starts = days.map(({ start }) => start);
    const [sums, series, began] = await Promise.all([
      sumStepFigures(ctx.db, scope, period),
      workflowSeries(ctx.db, scope, starts, period.to),
      countHere(ctx.db, scope),
    ]);
    const here = version === null ? began : await countHereBy(ctx.db, scope, version);
    const byScope = Map.groupBy(sums, ({ scopeId }) => scopeId);
    const reached = new Set([...byScope.keys(), ...here.keys()]);
    const steps = await figureSteps(
      ctx.db,
      scope,
      [...reached].flatMap((key) => (key === null || key === id ? [] : key)).sort(),
    );
    if (!steps)
      throw new AppError('RESOURCE_NOT_FOUND', `The workflow has no version ${version}`, {
        suggestion: 'List its versions; one that no execution has entered goes with the next',
      });
    const keyOf = (stepId: string): string => (version === null ? stepId : `${stepId}/${version}`);
    const dimension = version === null ? 'step' : 'step_version';
    const keys = steps.filter(({ type }) => type === 'SEND_EMAIL').map((step) => keyOf(step.id));
    const emails = new Map(
      keys.length === 0
        ? []
        : (await sumFigures(ctx.db, { projectId, dimension, keys }, period)).map(({ key, ...figures }) => [
            key,
            figures,
          ]),
    );
    const executions = executionFiguresOf(byScope.get(id) ?? []);
    const goalIds = endsOfRow(workflow).goals.map(({ goalId }) => goalId);
    const goals = await goalFigures(
      ctx.db,
      scope,
      { ids: goalIds, entered: executions.entered, maySplit: steps.some(({ type }) => type === 'SPLIT') },
      period,
    );
    const branchesTo = await goalOfBranches(ctx.db, scope, goalIds[0], period);
    const withGoal = (stepId: string, { branches, ...rest }: ReturnType<typeof stepFiguresOf>) => ({
      ...rest,
      branches: branches.map((each) => ({ ...each, ...branchesTo.get(`${stepId}/${each.branch}`) })),
    });
    const byBucket = new Map(series.map((each) => [each.bucket, each]));
    return {
      ...executions,
      active: [...began.values()].reduce((sum, people) => sum + people, 0),
      steps: steps.map((step) => ({
        stepKey: step.key,
        name: step.name,
        type: step.type,
        ...withGoal(step.id, stepFiguresOf(byScope.get(step.id) ?? [])),
        here: here.get(step.id) ?? 0,
        ...(step.type === 'SEND_EMAIL' && { email: withRates(emails.get(keyOf(step.id)) ?? noSums) }),
      })),
      goals,
      days: days.map(({ bucket }, index) => {
        const { entered = 0, left = 0, failed = 0 } = byBucket.get(index) ?? {};
        return { bucket, entered, ended: left + failed, failed };
      }),
    };
  },
});
