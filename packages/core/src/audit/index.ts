export { insertFailedLogin as recordFailedLogin } from './audit.store.ts';
export { listAudit } from './list-audit.ts';
export { sweepAudit } from './retention.ts';
