import { z } from 'zod';
import type { Db } from '../../base/db/index.ts';
import { idList, projectIdOf, query } from '../../base/kernel/index.ts';
import { findTemplateReferences } from '../../base/references/index.ts';
import { templateUsage } from './templates.schema.ts';
import { countSentFromTemplates, findTemplates } from './templates.store.ts';

/** Where each template is used; templates that are not in the project are left out. */
export async function usageOfTemplates(db: Db, projectId: string, ids: string[]) {
  const [templates, referencesOf, sent] = await Promise.all([
    findTemplates(db, projectId, ids),
    findTemplateReferences(db, projectId, ids),
    countSentFromTemplates(db, projectId, ids),
  ]);
  return templates.map(({ id }) => {
    const references = referencesOf(id);
    const canDelete = references.workflowSteps.length === 0;
    return { id, usage: { ...references, emailsSent: sent.get(id) ?? 0, canDelete } };
  });
}

/** The usage of several templates; doors batch with it. */
export const getUsageOfTemplates = query({
  name: 'templates.usageOfMany',
  summary: 'Returns where several templates are used and how many emails were sent from them',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(z.object({ id: z.string(), usage: templateUsage })),
  handler: (ctx, { ids }) => usageOfTemplates(ctx.db, projectIdOf(ctx), ids),
});
