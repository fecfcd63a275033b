import { listAudit } from '../audit/index.ts';
import { getCampaign } from '../campaigns/index.ts';
import { assertPermission, command, newId, projectIdOf } from '../kernel/index.ts';
import { assertFilterTree, getSegment } from '../segments/index.ts';
import { assertStorage } from '../storage/index.ts';
import { getTemplate } from '../templates/index.ts';
import { exportRecordsJob } from './exports.jobs.ts';
import { exportJob, startExportInput } from './exports.schema.ts';
import { type ExportRequest, insertExport } from './exports.store.ts';
import { presentExport } from './present-export.ts';

export const startExport = command({
  name: 'exports.start',
  summary: 'Writes records to a CSV file in the background',
  permission: 'data:write',
  allowDisabled: true,
  errors: ['SEGMENT_NOT_FOUND', 'CAMPAIGN_NOT_FOUND', 'TEMPLATE_NOT_FOUND', 'FORBIDDEN'],
  input: startExportInput,
  output: exportJob,
  prepare: (ctx) => assertStorage(ctx.services, projectIdOf(ctx)),
  async handler(ctx, { type, filter, from, to, ...given }) {
    const { segmentId, campaignId, templateId } = given;
    const projectId = projectIdOf(ctx);
    if (type === 'audit') assertPermission(ctx.actor, listAudit.permission);
    if (segmentId !== undefined) await getSegment.run(ctx, { id: segmentId });
    if (campaignId !== undefined) await getCampaign.run(ctx, { id: campaignId });
    if (templateId !== undefined) await getTemplate.run(ctx, { id: templateId });
    if (filter) await assertFilterTree(ctx.db, projectId, filter, 'filter');
    const input: ExportRequest = {
      type,
      ...(filter && { filter }),
      ...filtersOf(given),
      ...(from && { from: from.toISOString() }),
      ...(to && { to: to.toISOString() }),
    };
    const job = await insertExport(ctx.db, { id: newId(), projectId, input });
    ctx.audit({ targetType: 'job', targetId: job.id });
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(exportRecordsJob, { jobId: job.id }));
    return presentExport(job);
  },
});

/** The filters that were given; an empty one is none, as in the lists. */
const filtersOf = (given: Record<string, string | undefined>): Partial<ExportRequest> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''));
