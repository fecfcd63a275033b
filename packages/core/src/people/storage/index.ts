export { foldStorage } from './fold-storage.ts';
export { getStorage } from './get-storage.ts';
export {
  assertGrowth,
  assertStorage,
  isStorageExceeded,
  isStorageFull,
  storageReason,
  wasStorageFull,
} from './limits.ts';
export { storageOfAll } from './storage.store.ts';
