export {
  findUsedKey,
  idempotencyCheck,
  idempotencyCte,
  idempotencyKeyReused,
  idempotencyReused,
  type KeyRowInput,
  type KeyUse,
  keyLocks,
  keyRowColumns,
  keyRowOf,
  usedKeysCte,
  usesFreeKey,
} from './idempotency.store.ts';
export { sweepIdempotencyKeys } from './sweep-keys.store.ts';
