import {
  cancelEmail,
  getEmail,
  listEmails,
  previewContent,
  previewEmail,
  rescheduleEmail,
  sendBatch,
  sendEmail,
} from '@postrider/core/mail/sending';
import { getEmailSource } from '@postrider/core/mail/submission';
import { builder } from './builder.ts';
import { keyedMutationField, mutationField, queryField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

export const Email = objectFromZod(listEmails.output.shape.data.element);
/** One email as returned by id: with its opens and clicks. */
export const EmailDetails = objectFromZod(getEmail.output);
const EmailSource = objectFromZod(getEmailSource.output);
const EmailPreview = objectFromZod(previewEmail.output);
const ContentPreview = objectFromZod(previewContent.output, 'ContentPreview');
const SendEmailPayload = objectFromZod(sendEmail.output);
const SendEmailsPayload = objectFromZod(sendBatch.output);

recordField('email', getEmail, EmailDetails);
connectionField('emails', listEmails, Email, ({ createdAt, scheduledAt }, { sort }) =>
  sort === 'scheduledAt' && scheduledAt !== null ? scheduledAt : createdAt,
);
queryField('previewContent', previewContent, ContentPreview);
keyedMutationField('sendEmail', sendEmail, SendEmailPayload);
keyedMutationField('sendEmails', sendBatch, SendEmailsPayload);
mutationField('rescheduleEmail', rescheduleEmail, Email);
mutationField('cancelEmail', cancelEmail, Email);

builder.objectField(EmailDetails, 'preview', (t) =>
  t.field({
    type: EmailPreview,
    description: previewEmail.summary,
    extensions: { operation: previewEmail.name },
    resolve: ({ id }, _args, { ctx }) => previewEmail.run(ctx, { id }),
  }),
);

builder.objectField(EmailDetails, 'source', (t) =>
  t.field({
    type: EmailSource,
    description: getEmailSource.summary,
    extensions: { operation: getEmailSource.name },
    resolve: ({ id }, _args, { ctx }) => getEmailSource.run(ctx, { id }),
  }),
);
