import {
  getEmail,
  getEmailSource,
  listEmails,
  previewContent,
  previewEmail,
  sendEmail,
} from '@postrider/core/sending';
import { asMutation, asQuery, t } from './trpc.ts';

export const emailsRouter = t.router({
  list: asQuery(listEmails),
  get: asQuery(getEmail),
  preview: asQuery(previewEmail),
  source: asQuery(getEmailSource),
  previewContent: asQuery(previewContent),
  send: asMutation(sendEmail),
});
