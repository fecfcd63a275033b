export { forgetConsent, type LeavingPerson } from './forget-people.store.ts';
