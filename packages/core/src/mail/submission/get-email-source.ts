import { z } from 'zod';
import { projectOf, query, typeNames, uuid } from '../../base/kernel/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { isContentGone } from '../ledger/retention.rules.ts';
import { emailNotFound, findEmail } from '../sending/index.ts';
import { readMessageStart } from './submitted.store.ts';

/** Bytes of a message that are shown. */
const shownBytes = 262_144;

export const getEmailSource = query({
  name: 'sending.getEmailSource',
  summary:
    'Returns the beginning of a message that was submitted by SMTP, as it is sent, without its signature',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: z.object({ id: uuid.describe('Id of the email.') }),
  output: z
    .object({
      source: z
        .string()
        .nullable()
        .meta({
          description:
            'The first 256 KB of the message; null for an email that was not submitted by SMTP, and once the message is removed.',
          examples: [null],
        }),
    })
    .register(typeNames, { name: 'EmailSourceText' }),
  async handler(ctx, { id }) {
    const { id: projectId } = projectOf(ctx);
    const row = await findEmail(ctx.db, projectId, id, routeId(ctx.services.config));
    if (!row) throw emailNotFound();
    if (isContentGone(row, new Date())) return { source: null };
    const message = await readMessageStart(ctx.db, projectId, row.contentId, shownBytes);
    return { source: message?.toString('utf8').toWellFormed() ?? null };
  },
});
