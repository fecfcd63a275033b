import { z } from 'zod';
import { dataLimitBytes, getContacts, isTooLarge } from '../../audience/contacts/index.ts';
import { namedTopic } from '../../audience/topics/index.ts';
import { givenTopic } from '../../audience/topics/topics.schema.ts';
import {
  AppError,
  type Context,
  emailClass,
  notGiven,
  projectOf,
  query,
  uuid,
} from '../../base/kernel/index.ts';
import { preheaderSource, type TemplateField } from '../../content/templates/email-content.schema.ts';
import { assertTemplateSyntax } from '../../content/templates/index.ts';
import { MAX_SOURCE_LENGTH } from '../../content/templates/language/index.ts';
import { findLook } from '../../people/projects/index.ts';
import { renderPreview } from './render-preview.ts';

/** Unsaved content: every text may be empty. */
const texts = {
  subject: z.string().max(998).describe('Subject, at most 998 characters.'),
  preheader: notGiven(preheaderSource).transform((value) => value ?? null),
  body: z.string().max(MAX_SOURCE_LENGTH).describe('HTML body.'),
  text: notGiven(z.string().max(MAX_SOURCE_LENGTH))
    .transform((value) => value || null)
    .describe('Plain-text part. Without it, it is made from the body.'),
} satisfies Record<TemplateField, z.ZodType>;

const previewContentInput = z.object({
  ...texts,
  type: emailClass.describe('Class of the email, which decides about the unsubscribe footer.'),
  topic: givenTopic,
  contactId: notGiven(uuid).describe('The contact whose data fills the variables; none when left out'),
  data: notGiven(
    z.record(z.string(), z.unknown()).refine((data) => !isTooLarge(JSON.stringify(data)), {
      params: { code: 'too_big' },
      message: `At most ${dataLimitBytes / 1024} KiB of JSON`,
    }),
  ).describe('Goes before what is known of the contact, as the data of a send request does'),
});

/** A recipient without data. */
const anybody = { id: '', email: 'reader@example.com', subscribed: true, data: {} };

export const previewContent = query({
  name: 'sending.previewContent',
  summary: 'Renders a preview of a subject and body, for a contact or with sample data',
  permission: 'data:read',
  input: previewContentInput,
  output: z.object({
    subject: z.string().describe('Rendered subject.'),
    preheader: z.string().describe('Rendered preheader; empty without one.'),
    html: z.string().describe('Rendered HTML body; empty for a content of its text alone.'),
    text: z.string().describe('The text part.'),
    limited: z
      .boolean()
      .describe('A limit of rendering was reached, so names were filled in and tags left out'),
  }),
  async handler(ctx, { contactId, data, topic: key, ...texts }) {
    await assertTemplateSyntax(ctx, texts);
    const project = projectOf(ctx);
    const topic = await namedTopic(ctx.db, project.id, key);
    const { brand } = await findLook(ctx.db, project.id);
    const contact = contactId === undefined ? anybody : await findReader(ctx, contactId);
    const preview = await renderPreview(ctx.services, project.id, {
      content: {
        ...unsent,
        ...texts,
        projectId: project.id,
        projectName: project.name,
        language: project.language,
        topic,
        postalAddress: brand.address,
      },
      contact,
      requestData: data ?? null,
      // A preview must not contain a link that unsubscribes a contact.
      owner: { contactId: null, emailId: null },
      to: contact.email,
      toName: null,
      locale: null,
    });
    return { ...preview, html: preview.html ?? '' };
  },
});

/** What a preview does not show. */
const unsent = {
  from: 'sender@example.com',
  fromName: null,
  replyTo: null,
  sourceType: 'TRANSACTIONAL',
  headers: {},
  attachments: [],
  tracking: false,
} as const;

async function findReader(ctx: Context, id: string): Promise<typeof anybody> {
  const [contact] = await getContacts.run(ctx, { ids: [id] });
  if (!contact) throw new AppError('CONTACT_NOT_FOUND', 'Contact not found');
  return contact;
}
