export {
  type ConfirmationRow,
  countActs,
  findActs,
  findAllActs,
  findConfirmations,
  findConfirmedConsents,
  findConsent,
} from './acts.store.ts';
export { numberedChoices, unknownTopic } from './choices.ts';
export { fillConsentLogJob } from './consent.jobs.ts';
export * from './consent.rules.ts';
export { createWording } from './create-wording.ts';
export { forgetContacts } from './forget-contacts.store.ts';
export { getWording } from './get-wording.ts';
export { fillConsentLog, hasConsentsToFill } from './history/fill-consent-log.ts';
export { isHistoryDone } from './history/history.store.ts';
export { rebuildConsent, verifyConsent } from './history/verify-consent.ts';
export { listWordings } from './list-wordings.ts';
export { presentAct, seesClients } from './present-act.ts';
export { sweepClients, sweepConsent } from './retention.store.ts';
export { clientOf, sayingOf, statedBy } from './saying.ts';
export type { Authority, NumberedChoices, Saying, Statement } from './statements.rules.ts';
export {
  type ContactConsent,
  contactConsent,
  contactStatus,
  findStatus,
  stated,
  statusUnlessSubscribed,
  withStatus,
} from './status.store.ts';
export { submissionStored, tooManyUnconfirmed, workOnSubmissions } from './submissions/submission-work.ts';
export { storeSubmission, takeBackSubmission, takeRequest } from './submissions/submissions.store.ts';
export { generalTopic } from './topics.rules.ts';
export { findChoosableTopics, findTopicKeys } from './topics.store.ts';
export { hasWording, storeWording } from './wordings.store.ts';
export {
  appliedConsents,
  hashedAddress,
  recordMove,
  writeConsent,
  writeConsents,
} from './write-consent.store.ts';
