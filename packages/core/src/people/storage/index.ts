export { foldStorage } from './fold-storage.ts';
export { getStorage } from './get-storage.ts';
export {
  assertGrowth,
  assertStorage,
  isStorageExceeded,
  isStorageFull,
  wasStorageFull,
} from './limits.ts';
export { storageReason } from './storage.rules.ts';
export { storageOfAll } from './storage.store.ts';
