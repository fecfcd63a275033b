import { z } from 'zod';
import { projectOf, query, typeNames, uuid } from '../../base/kernel/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { readContent } from '../ledger/index.ts';
import { linkOwnerOf, shownContactOf } from '../ledger/ledger.rules.ts';
import { isContentGone } from '../ledger/retention.rules.ts';
import { findEmail, isUndecided } from './emails.store.ts';
import { emailNotFound } from './get-email.ts';
import { presentEmail } from './present-email.ts';
import { renderPreview } from './render-preview.ts';

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
          description:
            'Rendered HTML without tracking; null once it is removed, and for an email of its text alone.',
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
    .extend({
      undecided: z
        .boolean()
        .optional()
        .meta({
          description:
            'True for an email of the rest of a test whose winner is not decided yet: what is shown is the variant A. Absent otherwise.',
          examples: [true],
        }),
    })
    .register(typeNames, { name: 'EmailPreview' }),
  async handler(ctx, { id }) {
    const project = projectOf(ctx);
    const row = await findEmail(ctx.db, project.id, id, routeId(ctx.services.config));
    if (!row) throw emailNotFound();
    const content = isContentGone(row, new Date())
      ? null
      : await readContent(ctx.services.database.durable, row.contentId, { attachments: false });
    const body = content?.body;
    if (!content || body === null || body === undefined) {
      const { subject } = await presentEmail(ctx.services, project, row);
      return { subject, html: null, text: null };
    }
    const { raw, ...texts } = content;
    // A submitted message has no variables.
    if (raw) return { subject: content.subject, html: body || null, text: raw.text };
    const { owners } = ctx.services;
    await owners.known(project.id);
    const isPlain = content.limitedAt !== null || owners.fillsInPlainly(project.id, content.createdAt);
    const rendered = await renderPreview(
      ctx.services,
      project.id,
      {
        content: { ...texts, body, tracking: false, toOther: row.toOther },
        contact: shownContactOf(row),
        requestData: null,
        owner: linkOwnerOf(row),
        to: row.to,
        toName: row.toName,
        locale: content.language,
      },
      { plain: isPlain },
    );
    return row.variant === 'REST' && (await isUndecided(ctx.db, row))
      ? { ...rendered, undecided: true }
      : rendered;
  },
});
