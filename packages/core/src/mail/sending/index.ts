export { MAIL_LANGUAGES, type MailLanguage, selectLanguage } from '../../base/lib/mail-languages.ts';
export { acceptRequest } from './accept-request.ts';
export { cancelEmail } from './cancel-email.ts';
export {
  type EmailRow,
  findEmail,
  findEmailOfCampaign,
  findEmailsOfExecution,
  findScheduledEmails,
  newestInteractions,
} from './emails.store.ts';
export { createEmailSweep, sweepRecipientLogs } from './expire-emails.ts';
export { findFixedLink } from './fixed-links.ts';
export { emailNotFound, getEmail } from './get-email.ts';
export { getEmails } from './get-emails.ts';
export { listEmails } from './list-emails.ts';
export { listEmailsOfEach } from './list-emails-of-each.ts';
export { presentEmails, waitingOf } from './present-email.ts';
export { previewContactLimits } from './preview-contact-limits.ts';
export { previewContent } from './preview-content.ts';
export { previewEmail } from './preview-email.ts';
export { previewTemplate } from './preview-template.ts';
export { findRecipients, findRecipientsOfEach, type RecipientType } from './recipients.store.ts';
export { rescheduleEmail } from './reschedule-email.ts';
export {
  keepNeededBlobs,
  sweepAttachments,
  sweepContactLimits,
  sweepContents,
  sweepErasedContents,
  sweepNotices,
  sweepPlatformBodies,
  sweepPlatformMail,
  sweepSources,
} from './retention.ts';
export { sendBatch } from './send-batch.ts';
export { sendEmail } from './send-email.ts';
export { foldTallies } from './tally/fold-tallies.ts';
export { writeTestMail } from './test-mail.ts';
export {
  judgeWorkflowEmails,
  type PreparedWorkflowMail,
  prepareWorkflowMail,
  tryWorkflowMail,
  type WorkflowMail,
  writeWorkflowEmails,
} from './write-workflow-email.ts';
