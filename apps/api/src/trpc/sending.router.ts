import { getEmail, listEmails, previewContent, previewEmail, sendEmail } from '@postrider/core/mail/sending';
import { getEmailSource } from '@postrider/core/mail/submission';
import { asMutation, asQuery, t } from './trpc.ts';

export const emailsRouter = t.router({
  list: asQuery(listEmails),
  get: asQuery(getEmail),
  preview: asQuery(previewEmail),
  source: asQuery(getEmailSource),
  previewContent: asQuery(previewContent),
  send: asMutation(sendEmail),
});
