export { findAuditOf, insertFailedLogin as recordFailedLogin } from './audit.store.ts';
export { authorOf } from './author-of.ts';
export { listAudit } from './list-audit.ts';
export { presentActor } from './present-actor.ts';
export { presentAuthor, presentAuthors } from './present-author.ts';
export { sweepAudit } from './retention.ts';
