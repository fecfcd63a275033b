import { getEmail, listEmails, previewEmail, previewLetter, sendEmail } from '@postrider/core/sending';
import { asMutation, asQuery, t } from './trpc.ts';

export const emailsRouter = t.router({
  list: asQuery(listEmails),
  get: asQuery(getEmail),
  preview: asQuery(previewEmail),
  previewLetter: asQuery(previewLetter),
  send: asMutation(sendEmail),
});
