export { checkDomain } from './check-domain.ts';
export { createDomain } from './create-domain.ts';
export { deleteDomain } from './delete-domain.ts';
export { checkUpdate, watchDomainJob } from './domains.jobs.ts';
export { listDomains } from './list-domains.ts';
export { findVerifiedDomain, requireVerifiedSender } from './require-verified-sender.ts';
export { loadSigningKeys } from './signing-keys.ts';
export { verifyDomain } from './verify-domain.ts';
export { failMailOfRemovedDomain, findUnwatchedDomains, readWatchedDomain } from './watch-domain.ts';
