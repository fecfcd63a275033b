import { assertFilterTree, getSegment } from '../../audience/segments/index.ts';
import { getCampaign } from '../../automation/campaigns/index.ts';
import { getGoal } from '../../automation/goals/index.ts';
import { assertPermission, command, orderedPeriod, projectIdOf, projectOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { getTemplate } from '../../content/templates/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { exportRecordsJob } from './exports.jobs.ts';
import { exportJob, startExportInput } from './exports.schema.ts';
import { type ExportRequest, insertExport } from './exports.store.ts';
import { permissionOf } from './permission-of.ts';
import { presentExport } from './present-export.ts';

export const startExport = command({
  name: 'exports.start',
  summary: 'Writes records to a CSV file in the background',
  permission: 'data:write',
  risk: 'large',
  allowDisabled: true,
  errors: [
    'SEGMENT_NOT_FOUND',
    'CAMPAIGN_NOT_FOUND',
    'TEMPLATE_NOT_FOUND',
    'RESOURCE_NOT_FOUND',
    'FORBIDDEN',
  ],
  input: startExportInput,
  output: exportJob,
  prepare: (ctx) => assertStorage(ctx.services, projectIdOf(ctx)),
  async handler(ctx, { type, filter, from, to, ...given }) {
    const { segmentId, campaignId, templateId, goalId } = given;
    const { id: projectId, timeZone } = projectOf(ctx);
    const period = orderedPeriod({ from, to }, timeZone, 'excluded', ['from', 'to']);
    const permission = permissionOf(type);
    if (permission) assertPermission(ctx.actor, permission);
    if (segmentId !== undefined) await getSegment.run(ctx, { id: segmentId });
    if (campaignId !== undefined) await getCampaign.run(ctx, { id: campaignId });
    if (goalId !== undefined) await getGoal.run(ctx, { id: goalId });
    const template = templateId === undefined ? null : await getTemplate.run(ctx, { id: templateId });
    if (filter) await assertFilterTree(ctx.db, projectId, filter, 'filter');
    const input: ExportRequest = {
      type,
      ...(filter && { filter }),
      ...filtersOf({ ...given, templateId: template?.id }),
      ...(period.from && { from: period.from.toISOString() }),
      ...(period.to && { to: period.to.toISOString() }),
    };
    const job = await insertExport(ctx.db, { id: newId(), projectId, input });
    ctx.audit({ targetType: 'job', targetId: job.id });
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(exportRecordsJob, { jobId: job.id }));
    return presentExport(ctx.services, job);
  },
});

/** The filters of the request. An empty one counts as missing, as in the lists. */
const filtersOf = (given: Record<string, string | undefined>): Partial<ExportRequest> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''));
