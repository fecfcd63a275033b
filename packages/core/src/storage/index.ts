export { foldStorage } from './fold-storage.ts';
export { getStorage } from './get-storage.ts';
export { assertStorage, isStorageExceeded, isStorageFull, storageReason, wasStorageFull } from './limits.ts';
export { storageOfAll } from './storage.store.ts';
