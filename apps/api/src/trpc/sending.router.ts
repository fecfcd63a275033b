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
import { asMutation, asQuery, t } from './trpc.ts';

export const sendingRouter = t.router({
  listEmails: asQuery(listEmails),
  getEmail: asQuery(getEmail),
  previewEmail: asQuery(previewEmail),
  getEmailSource: asQuery(getEmailSource),
  previewContent: asQuery(previewContent),
  send: asMutation(sendEmail),
  sendBatch: asMutation(sendBatch),
  reschedule: asMutation(rescheduleEmail),
  cancel: asMutation(cancelEmail),
});
