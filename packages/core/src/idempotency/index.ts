export {
  findUsedKey,
  idempotencyCheck,
  idempotencyCte,
  idempotencyKeyReused,
  idempotencyReused,
  type KeyUse,
  type UsedKey,
} from './idempotency.store.ts';
export { sweepIdempotencyKeys } from './sweep-keys.store.ts';
