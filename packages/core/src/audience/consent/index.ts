export { forgetContacts } from './forget-contacts.store.ts';
export { sweepClients, sweepConsent } from './retention.store.ts';
