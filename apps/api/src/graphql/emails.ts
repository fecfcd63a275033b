import { getEmail, listEmails, previewEmail, sendEmail } from '@postrider/core/sending';
import { builder } from './builder.ts';
import { mutationField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

export const Email = objectFromZod(listEmails.output.shape.data.element, 'Email');
/** One email as it is asked for by its id: with its opens and clicks. */
export const EmailDetails = objectFromZod(getEmail.output, 'EmailDetails');
const EmailPreview = objectFromZod(previewEmail.output, 'EmailPreview');
const SendEmailPayload = objectFromZod(sendEmail.output, 'SendEmailPayload');

recordField('email', getEmail, EmailDetails);
connectionField('emails', listEmails, Email, ({ createdAt }) => createdAt);
mutationField('sendEmail', sendEmail, SendEmailPayload);

builder.objectField(EmailDetails, 'preview', (t) =>
  t.field({
    type: EmailPreview,
    description: previewEmail.summary,
    resolve: ({ id }, _args, { ctx }) => previewEmail.run(ctx, { id }),
  }),
);
