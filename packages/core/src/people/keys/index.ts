export { createKey } from './create-key.ts';
export { deleteKey } from './delete-key.ts';
export { listKeys } from './list-keys.ts';
