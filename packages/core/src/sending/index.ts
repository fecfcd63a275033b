export { contactVariables } from './contact-variables.ts';
export { type DeliveryOptions, defaultDeliveryOptions } from './delivery/delivery-options.ts';
export { DeliveryRuntime } from './delivery/delivery-runtime.ts';
export { routeId } from './delivery/route-guard.ts';
export { findFixedLink } from './fixed-links.ts';
export { getEmail } from './get-email.ts';
export { getEmails } from './get-emails.ts';
export {
  type AudienceBreakdown,
  anyoneToSendTo,
  breakDownAudience,
  countAudience,
  estimateAudience,
} from './ledger/audience.store.ts';
export {
  type CountedColumn,
  countedColumns,
  countFailedOfRetry,
  countPiece,
  countRetried,
  detachEmails,
  goneRecipients,
  isDetached,
  type RetriedStatus,
  requeueEmails,
} from './ledger/campaign.store.ts';
export { isDrained, skipWaiting, stopCampaign } from './ledger/cancel.store.ts';
export { bringMailForward } from './ledger/clock.store.ts';
export { storeContent } from './ledger/content.store.ts';
export { type AudienceCursor, batchSizeOf, insertCampaignEmails, lockFreeze } from './ledger/freeze.store.ts';
export { findRoutePause } from './ledger/route-pause.store.ts';
export { decodeAccountLink, decodeLink, encodeAccountLink, encodeLink, type LinkToken } from './links.ts';
export { listEmails } from './list-emails.ts';
export { listEmailsOfEach } from './list-emails-of-each.ts';
export { MAIL_LANGUAGES, type MailLanguage, selectLanguage } from './message/index.ts';
export { applyDeliveryNews, applyOnce } from './news/apply-news.ts';
export type { BounceType } from './news/news.rules.ts';
export { needsProof, proveReport } from './news/prove-report.ts';
export { readReceived } from './news/read-received.ts';
export { findReportedEmail, receiveReport } from './news/receive-report.ts';
export { ReportSources } from './news/report-sources.ts';
export { notifyOutbox, signalBulkDelivery } from './notify-outbox.ts';
export { createPlatformMailer } from './platform-mail/platform-mailer.ts';
export { previewContent } from './preview-content.ts';
export { previewEmail } from './preview-email.ts';
export { previewTemplate } from './preview-template.ts';
export { dailyCapExceeded } from './ramp/ramp.rules.ts';
export { exceededDailyCap } from './ramp/ramp.store.ts';
export { findRecipients, findRecipientsOfEach, type RecipientType } from './recipients.store.ts';
export {
  keepNeededBlobs,
  sweepAttachments,
  sweepContents,
  sweepErasedContents,
  sweepNotices,
  sweepPlatformBodies,
  sweepPlatformMail,
} from './retention.ts';
export { sendEmail } from './send-email.ts';
export { getEmailSource } from './submission/get-email-source.ts';
export { readOnThread } from './submission/read-on-thread.ts';
export {
  mostSubmissionRecipients,
  submissionLabel,
  submissionRecipient,
  submitMessage,
} from './submission/submit-message.ts';
export { findSubmittedEmails } from './submission/submitted.store.ts';
export { writeTestMail } from './test-mail.ts';
export { isTracked } from './tracked.rules.ts';
export { writeWorkflowEmail } from './write-workflow-email.ts';
