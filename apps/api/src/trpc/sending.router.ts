import { getEmail, listEmails, previewContent, previewEmail, sendEmail } from '@postrider/core/sending';
import { asMutation, asQuery, t } from './trpc.ts';

export const emailsRouter = t.router({
  list: asQuery(listEmails),
  get: asQuery(getEmail),
  preview: asQuery(previewEmail),
  previewContent: asQuery(previewContent),
  send: asMutation(sendEmail),
});
