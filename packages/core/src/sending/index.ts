export { contactVariables } from './contact-variables.ts';
export { isTracked } from './content.ts';
export { type DeliveryOptions, defaultDeliveryOptions } from './delivery/delivery-options.ts';
export { DeliveryRuntime } from './delivery/delivery-runtime.ts';
export { runLane } from './delivery/lane.ts';
export { findFixedLink } from './fixed-links.ts';
export { getEmail } from './get-email.ts';
export { detachEmails, requeueEmails } from './ledger/campaign.store.ts';
export { storeContent } from './ledger/content.store.ts';
export {
  anyoneToSendTo,
  breakDownAudience,
  countAudience,
  countCampaignEmails,
  countSkipReasons,
  insertCampaignEmails,
  isDrained,
  skipWaiting,
} from './ledger/freeze.store.ts';
export { overdueOutboxes } from './ledger/outbox.store.ts';
export { decodeLink, encodeLink, type LinkToken } from './links.ts';
export { listEmails } from './list-emails.ts';
export { MAIL_LANGUAGES, type MailLanguage, selectLanguage } from './message/index.ts';
export { notifyOutbox, signalBulkDelivery } from './notify-outbox.ts';
export { createPlatformMailer } from './platform-mail.ts';
export { previewContent } from './preview-content.ts';
export { previewEmail } from './preview-email.ts';
export {
  countRecipients,
  findRecipients,
} from './recipients.store.ts';
export { sweepAttachments, sweepContents } from './retention.ts';
export { sendEmail } from './send-email.ts';
export { drainOutboxJob } from './sending.jobs.ts';
export { writeTestMail } from './test-mail.ts';
export { writeWorkflowEmail } from './write-workflow-email.ts';
