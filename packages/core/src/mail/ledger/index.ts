export { type AcceptedEmail, type AcceptRequest, acceptSend, type NewRecipient } from './accept.store.ts';
export {
  acceptBatch,
  type BatchItem,
  type ItemOutcome,
} from './accept-batch.store.ts';
export { acceptTogether } from './accept-group.store.ts';
export { acceptIfRendered, type StoredVariables } from './accept-strict.store.ts';
export {
  type AudienceBreakdown,
  type AudienceQuery,
  anyoneToSendTo,
  breakDownAudience,
  countAudience,
  countBases,
  countSimulated,
  countTraits,
  estimateAudience,
  firstRecipients,
} from './audience.store.ts';
export type { BatchKey, BatchResult } from './batch.ts';
export {
  type CampaignCounts,
  countedColumns,
  countFailedOfRetry,
  countPiece,
  countRetried,
  detachEmails,
  goneRecipients,
  isDetached,
  type RetriedStatus,
  requeueEmails,
} from './campaign.store.ts';
export { isDrained, skipWaiting, stopCampaign } from './cancel.store.ts';
export { type AppliedCaps, isCapped } from './caps.ts';
export { type ClaimedKey, claimBatches, type ProjectBacklog, releaseUnread } from './claim.store.ts';
export { bringMailForward } from './clock.store.ts';
export { insertConfirmation } from './confirmation.store.ts';
export {
  bringHeldForward,
  countHeld,
  type HeldCounts,
  noneHeld,
  removeContactSlots,
  type Slot,
  takeContactSlots,
} from './contact-slots.store.ts';
export {
  MissingPart,
  readContent,
  readContents,
  rewriteContent,
  type StoredContent,
  storeContent,
} from './content.store.ts';
export {
  identifyBlob,
  identifyContent,
  identifyRest,
  type NewContent,
  ofLinkTags,
  ofTopic,
} from './content.ts';
export { dueProjects, findWaitingTests, skipGone } from './due.store.ts';
export { emailColumnsOf, emailFacts, emailLabels, messageIdOf } from './email-facts.ts';
export { optOutsByReport } from './end-subscription.ts';
export {
  countExpired,
  removeExpired,
  removeRecipientLogs,
  sweepBegin,
  withExpiredEmails,
} from './expired.store.ts';
export {
  type AudienceCursor,
  batchSizeOf,
  insertCampaignEmails,
  type LocalWaves,
  lockFreeze,
  type SkippedBy,
  tryLockFreeze,
} from './freeze.store.ts';
export { type KnownEmail, type LateAnswer, settleKnown, settleLate } from './late.store.ts';
export { renewLeases } from './lease.store.ts';
export { beginPlainSpan, markLimited } from './limits.store.ts';
export { notifyOutbox, signalBulkDelivery } from './notify-outbox.ts';
export { outboxChannel, readPayload } from './outbox-channel.ts';
export { findOverdueMail } from './overdue.store.ts';
export { releasePaced } from './pace.store.ts';
export { hasFirstAttempts, holdBatch, holdWaiting, releaseHeldBatches, settlePauses } from './pause.store.ts';
export { clearBodiesOf, insertWaitingEmail, removeEmailsOf, removeEmailsTo } from './platform.store.ts';
export { type Progress, type Recorded, recordProgress } from './progress.store.ts';
export { type ClaimedBatch, type ClaimedEmail, readBatches, type UnprovenOwner } from './read.store.ts';
export { endLeases, expiredBatches, postponeReaping, type Reaped, reapBatches } from './reap.store.ts';
export { countWaiting, endDue, endHeld, forgetFences, withdrawResends } from './restore.store.ts';
export {
  type ClearedContent,
  clearContents,
  clearErasedContents,
  findOldContents,
  keepBlobs,
  removeBlobs,
} from './retention.store.ts';
export {
  noteAccepted,
  noteEightBit,
  pauseRoute,
  pauseSender,
  putOffBatch,
  putOffSender,
  type RouteState,
  readRoute,
  resumeRoute,
  resumeSender,
  type SenderProbe,
  takeProbe,
  takeSenderProbes,
} from './route.store.ts';
export { findPauses, findRoutePause, type Pauses } from './route-pause.store.ts';
export type { StoredShared } from './shared.store.ts';
export { keepSource, readSource, removeSources } from './sources.store.ts';
export { onlyStricter } from './suppress.ts';
export { insertTestEmail } from './test.store.ts';
export { cancelWaiting, lockWaiting, moveWaiting, type WaitingEmail } from './waiting-email.store.ts';
export { type Wave, waitsForWave, wavesOf } from './waves.store.ts';
export { withdrawEmails } from './withdraw.store.ts';
export {
  insertWorkflowEmails,
  judgeEmailsOfSteps,
  type TriedWorkflowEmail,
  type WorkflowMailContent,
  type WrittenWorkflowEmail,
} from './workflow.store.ts';
export { type Written, writeBatches } from './write.store.ts';
