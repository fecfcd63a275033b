export { inspectSes } from './inspect-account.ts';
export { assertSesCredentials } from './ses-credentials.ts';
export { createSesIdentities } from './ses-identities.ts';
export { createSesTransport } from './ses-transport.ts';
