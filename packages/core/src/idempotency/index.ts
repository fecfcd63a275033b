export {
  findUsedKey,
  type IdempotencyParameters,
  idempotencyCheck,
  idempotencyCte,
  idempotencyKeyReused,
  idempotencyReused,
  type UsedKey,
} from './idempotency.store.ts';
export { sweepIdempotencyKeys } from './sweep-keys.store.ts';
