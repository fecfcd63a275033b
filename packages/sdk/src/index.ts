export type { BatchOptions } from './batch.ts';
export { type CallOptions, call } from './call.ts';
export { Postrider } from './client.ts';
export { type Connection, connect, type PostriderOptions } from './connection.ts';
export {
  ApiError,
  AuthenticationError,
  BillingLimitError,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  type FieldError,
  NotFoundError,
  PermissionError,
  PostriderError,
  RateLimitError,
  TimeoutError,
  ValidationError,
} from './errors.ts';
export {
  type AudienceParts,
  type CampaignActivity,
  canExclude,
  inCampaign,
  inSegment,
  readAudience,
  writeAudience,
} from './generated/audience.gen.ts';
export * as operations from './generated/operations.gen.ts';
export type * from './generated/types.gen.ts';
export { Listing, type Page } from './listing.ts';
export type { InputOf, Operation, OutputOf } from './operation.ts';
export { type SendInput, type SendResult, type SentEmail, send } from './send.ts';
export {
  BatchIncompleteError,
  type SendBatchItem,
  type SendBatchOptions,
  type SendBatchResult,
  sendBatch,
} from './send-batch.ts';
export { type SubscribeInput, type SubscribeOptions, subscribe } from './subscribe.ts';
export { type TrackInput, type TrackResult, track } from './track.ts';
export {
  type VerifiedStep,
  type VerifiedWebhook,
  type VerifyOptions,
  verifyStep,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts';
