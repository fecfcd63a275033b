export {
  beginKey,
  endKey,
  findFirstUse,
  findReuse,
  idempotencyCheck,
  idempotencyCte,
  idempotencyKeyReused,
  type KeyRowInput,
  type KeyUse,
  keyLocks,
  keyRowColumns,
  keyRowOf,
  keyUseOf,
  usedKeysCte,
  usesFreeKey,
} from './idempotency.store.ts';
export { sweepIdempotencyKeys } from './sweep-keys.store.ts';
