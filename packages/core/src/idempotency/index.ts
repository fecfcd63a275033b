export {
  findUsedKey,
  idempotencyCheck,
  idempotencyCte,
  idempotencyKeyReused,
  idempotencyReused,
  type KeyUse,
} from './idempotency.store.ts';
export { sweepIdempotencyKeys } from './sweep-keys.store.ts';
