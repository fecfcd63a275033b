import { z } from 'zod';
import { projectOf, query, typeNames, uuid } from '../kernel/index.ts';
import { routeId } from './delivery/route-guard.ts';
import { findEmail } from './emails.store.ts';
import { emailNotFound } from './get-email.ts';
import { readContent } from './ledger/content.store.ts';
import { createLinkBuilder } from './link-builder.ts';
import { prepareStored } from './prepare-stored.ts';
import { presentEmail, variablesOf } from './present-email.ts';
import { isContentGone } from './retention.rules.ts';
import { linkOwnerOf } from './sending.rules.ts';

export const previewEmail = query({
  name: 'sending.previewEmail',
  summary: 'Renders an email as its recipient sees it, without tracking',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: z.object({ id: uuid.describe('Id of the email.') }),
  output: z
    .object({
      subject: z.string().meta({ description: 'Rendered subject.', examples: ['Your order has shipped'] }),
      html: z
        .string()
        .nullable()
        .meta({
          description: 'Rendered HTML without tracking; null once it is removed.',
          examples: ['<p>Your order has shipped.</p>'],
        }),
      text: z
        .string()
        .nullable()
        .meta({
          description: 'Rendered plain text; null once it is removed.',
          examples: ['Your order has shipped.'],
        }),
    })
    .register(typeNames, { name: 'EmailPreview' }),
  async handler(ctx, { id }) {
    const project = projectOf(ctx);
    const row = await findEmail(ctx.db, project.id, id, routeId(ctx.services.config));
    if (!row) throw emailNotFound();
    const { subject } = presentEmail(ctx.services, project.language, row);
    const content = isContentGone(row, new Date())
      ? null
      : await readContent(ctx.db, row.contentId, { attachments: false });
    const links = createLinkBuilder(ctx.services.config.API_URL, ctx.services.secrets);
    const prepared = content && prepareStored(content, links, { tracking: false });
    if (!prepared) return { subject, html: null, text: null };
    const vars = variablesOf(ctx.services, row, content.language);
    return prepared.preview({
      ...linkOwnerOf(row),
      to: row.to,
      toName: row.toName,
      vars,
      locale: typeof vars['locale'] === 'string' ? vars['locale'] : content.language,
    });
  },
});
