export { isTracked } from './content.rules.ts';
export { DeliveryEngine, type DeliveryOptions, defaultDeliveryOptions } from './delivery/delivery-engine.ts';
export { type LaneRequest, type LaneResult, runLane } from './delivery/lane.ts';
export { findFixedLink } from './fixed-links.ts';
export { getEmail } from './get-email.ts';
export { storeContent } from './ledger/content.store.ts';
export {
  anyoneToSendTo,
  countAudience,
  countCampaignEmails,
  countSkipReasons,
  freezeRecipients,
  isDrained,
  skipWaiting,
} from './ledger/freeze.store.ts';
export { overdueOutboxes } from './ledger/outbox.store.ts';
export { decodeLink, encodeLink, type LinkToken } from './links.ts';
export { listEmails } from './list-emails.ts';
export { MAIL_LANGUAGES, type MailLanguage, selectLanguage } from './message/index.ts';
export { wakeBulkDelivery, wakeOutbox } from './outbox-wake.ts';
export { type PlatformMail, wakePlatformMail, writePlatformMail } from './platform-mail.ts';
export { previewEmail } from './preview-email.ts';
export { sendEmail } from './send-email.ts';
export { drainOutboxJob } from './sending.jobs.ts';
