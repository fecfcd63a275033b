import { getCampaigns } from '@postrider/core/campaigns';
import { getContacts } from '@postrider/core/contacts';
import { getEmail, listEmails, previewEmail, sendEmail } from '@postrider/core/sending';
import { getTemplates } from '@postrider/core/templates';
import { builder } from './builder.ts';
import { Campaign } from './campaigns.ts';
import { Contact } from './contacts.ts';
import { mutationField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';
import { relationField } from './relations.ts';
import { Template } from './templates.ts';

const Email = objectFromZod(listEmails.output.shape.data.element);
/** One email as returned by id: with its opens and clicks. */
const EmailDetails = objectFromZod(getEmail.output);
const EmailPreview = objectFromZod(previewEmail.output);
const SendEmailPayload = objectFromZod(sendEmail.output);

recordField('email', getEmail, EmailDetails);
connectionField('emails', listEmails, Email, ({ createdAt }) => createdAt);
mutationField('sendEmail', sendEmail, SendEmailPayload);

for (const type of [Email, EmailDetails]) {
  relationField(type, 'contact', Contact, getContacts, ({ contactId }) => contactId);
  relationField(type, 'template', Template, getTemplates, ({ templateId }) => templateId);
  relationField(type, 'campaign', Campaign, getCampaigns, ({ campaignId }) => campaignId);
}

builder.objectField(EmailDetails, 'preview', (t) =>
  t.field({
    type: EmailPreview,
    description: previewEmail.summary,
    extensions: { operation: previewEmail.name },
    resolve: ({ id }, _args, { ctx }) => previewEmail.run(ctx, { id }),
  }),
);
