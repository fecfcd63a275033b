export type * from './actor.ts';
export * from './cipher-columns.ts';
export * from './config.ts';
export * from './context.ts';
export { EngineWatch } from './engine-watch.ts';
export * from './enums.ts';
export * from './errors.ts';
export { FairQueue, type Verdict } from './fair-queue.ts';
export * from './fields.ts';
export { kindsWithoutEngine, waitsForEngine } from './job-kinds.rules.ts';
export * from './kernel.jobs.ts';
export { logged } from './logged.ts';
export { memoryLevel, setMemoryLevel, untilMemory } from './memory-level.ts';
export { countRequest, countSwept, observeAccept, showBuild } from './metrics.ts';
export * from './operation.ts';
export { orderedPeriod } from './ordered-period.ts';
export * from './page-schemas.ts';
export * from './pagination.ts';
export * from './permanent-errors.ts';
export * from './permissions.ts';
export * from './ports/dns.ts';
export { fileCacheControl } from './ports/file-storage.ts';
export * from './ports/identity-providers.ts';
export type * from './ports/inspections.ts';
export type * from './ports/live.ts';
export * from './ports/mail-transport.ts';
export * from './ports/outgoing-http.ts';
export * from './ports/owners.ts';
export type * from './ports/payments.ts';
export type * from './ports/platform-mailer.ts';
export * from './ports/threads.ts';
export * from './ports/workflow-client.ts';
export * from './project-keys.ts';
export { idsOf, redact, shownMailbox } from './redact.ts';
export { rehearse } from './rehearse.ts';
export type * from './risk.ts';
export { withFiles } from './secret-files.ts';
export * from './secrets.ts';
export type * from './services.ts';
export * from './sign-in-providers.ts';
export { suggestions } from './suggestions.rules.ts';
export {
  currentSpan,
  type EndedSpan,
  isTracing,
  requestSpan,
  rootSpan,
  type Span,
  setTracer,
} from './traces.ts';
export { TurnOrder } from './turn-order.ts';
export { Turnstile } from './turnstile.ts';
export * from './type-names.ts';
export { unknownField, unknownFieldsOf } from './unknown-fields.ts';
export * from './validation.ts';
export { type WaitsFor, waitsForField } from './waits-for.schema.ts';
