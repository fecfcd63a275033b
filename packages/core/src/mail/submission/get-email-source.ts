import { z } from 'zod';
import { projectOf, query, typeNames, uuid } from '../../base/kernel/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { readSource } from '../ledger/index.ts';
import { isContentGone } from '../ledger/retention.rules.ts';
import { emailNotFound, findEmail } from '../sending/index.ts';
import { readMessageStart } from './submitted.store.ts';

/** Bytes of a message that was submitted by SMTP that are shown. */
const shownBytes = 262_144;

export const getEmailSource = query({
  name: 'sending.getEmailSource',
  summary:
    'Returns the message of an email of a test project, or the beginning of one that was submitted by SMTP',
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
            'In a test project the whole message with its headers and links, for 7 days and the newest 200 MB of the project. Elsewhere the first 256 KB of a message that was submitted by SMTP, as it is sent, without its signature. Null for any other email, before it is sent, and once the message is removed.',
          examples: [null],
        }),
    })
    .register(typeNames, { name: 'EmailSourceText' }),
  async handler(ctx, { id }) {
    const { id: projectId } = projectOf(ctx);
    const row = await findEmail(ctx.db, projectId, id, routeId(ctx.services.config));
    if (!row) throw emailNotFound();
    const kept = await readSource(ctx.db, projectId, id);
    if (kept) return { source: kept.toString('utf8').toWellFormed() };
    if (isContentGone(row, new Date())) return { source: null };
    const message = await readMessageStart(ctx.db, projectId, row.contentId, shownBytes);
    return { source: message?.toString('utf8').toWellFormed() ?? null };
  },
});
