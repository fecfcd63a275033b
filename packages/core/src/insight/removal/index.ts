export { checkAddresses } from './addresses/check-addresses.ts';
export { hasAddressesToNormalize, normalizeAddresses } from './addresses/normalize-addresses.ts';
export { deleteProject } from './delete-project.ts';
export { getResetState } from './get-reset-state.ts';
export { normalizeAddressesJob, removeDataJob } from './removal.jobs.ts';
export { findOpenRemovals } from './removal.store.ts';
export { removeBatch } from './remove-batch.ts';
export { resetProject } from './reset-project.ts';
