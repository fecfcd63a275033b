import { z } from 'zod';
import { dataLimitBytes, getContacts, isTooLarge } from '../contacts/index.ts';
import { AppError, type Context, emailClass, notGiven, projectOf, query, uuid } from '../kernel/index.ts';
import { assertTemplateSyntax } from '../templates/index.ts';
import { buildVariables, escapeHtml, MAX_SOURCE_LENGTH, parseTemplate } from '../templates/language/index.ts';
import { createLinkBuilder } from './link-builder.ts';
import { footerHtml } from './message/footer.ts';
import { selectLanguage } from './message/index.ts';
import { cleanHeaderValue } from './message/mail-headers.ts';
import { withFooter } from './message/message-html.ts';

/** Whoever writes has not written all yet, so both parts may be empty. */
const previewLetterInput = z.object({
  subject: z.string().max(998),
  body: z.string().max(MAX_SOURCE_LENGTH),
  type: emailClass,
  contactId: notGiven(uuid).describe('Whose data is filled in; nobody’s when left out'),
  data: notGiven(
    z.record(z.string(), z.unknown()).refine((data) => !isTooLarge(JSON.stringify(data)), {
      params: { code: 'too_big' },
      message: `At most ${dataLimitBytes / 1024} KiB of JSON`,
    }),
  ).describe('Goes before what is known of the contact, as the data of a send request does'),
});

/** Somebody of whom nothing is known. */
const anybody = { id: '', email: 'reader@example.com', subscribed: true, data: {} };

export const previewLetter = query({
  name: 'sending.previewLetter',
  summary: 'Renders a preview of a subject and body, for a contact or with sample data',
  permission: 'data:read',
  input: previewLetterInput,
  output: z.object({
    subject: z.string(),
    html: z.string(),
    limited: z
      .boolean()
      .describe('A limit of rendering was reached, so names were filled in and tags left out'),
  }),
  async handler(ctx, { subject, body, type, contactId, data }) {
    assertTemplateSyntax({ subject, body });
    const project = projectOf(ctx);
    const contact = contactId === undefined ? anybody : await findReader(ctx, contactId);
    const { API_URL } = ctx.services.config;
    // Nobody's links: a look at a mail must not hand out what unsubscribes a reader.
    const urls = createLinkBuilder(API_URL, ctx.services.secrets).urlsOf({ contactId: null, emailId: null });
    const vars = buildVariables({ contact, requestData: data ?? null, project, urls });
    const head = parseTemplate(subject, 'text').renderDetailed(vars);
    const content = parseTemplate(body, 'html').renderDetailed(vars);
    const language = selectLanguage(vars['locale'], project.language);
    const footer = type === 'MARKETING' ? footerHtml(language, project.name, escapeHtml(urls.manageUrl)) : '';
    return {
      subject: cleanHeaderValue(head.text),
      html: withFooter(content.text, footer),
      limited: head.limited || content.limited,
    };
  },
});

async function findReader(ctx: Context, id: string): Promise<typeof anybody> {
  const [contact] = await getContacts.run(ctx, { ids: [id] });
  if (!contact) throw new AppError('CONTACT_NOT_FOUND', 'Contact not found');
  return contact;
}
