export { forgetConsent, type LeavingPerson } from './forget-people.store.ts';
export { sweepConsent } from './retention.store.ts';
