import { z } from 'zod';
import { idList, projectOf, query } from '../../base/kernel/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { findEmails } from './emails-of-each.store.ts';
import { presentEmails } from './present-email.ts';
import { emailRecord } from './sending.schema.ts';

/** Loads the emails referenced by many records in one query; the doors' batch loaders use it. */
export const getEmails = query({
  name: 'sending.getMany',
  summary: 'Returns emails by their ids',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(emailRecord),
  async handler(ctx, { ids }) {
    const project = projectOf(ctx);
    const rows = await findEmails(ctx.db, project.id, ids, routeId(ctx.services.config));
    return presentEmails(ctx.services, project, rows);
  },
});
