import type { Database } from '../../../base/db/index.ts';
import { AppError } from '../../../base/kernel/index.ts';

interface Worker {
  /** a submission was stored */
  stored(): void;
  /** too many requests of a project are unconfirmed */
  refused(projectId: string): void;
}

const workers = new WeakMap<Database, Worker>();

/** From now on, this process works on what visitors ask for, as soon as it is stored here. */
export function workOnSubmissions(database: Database, worker: Worker): void {
  workers.set(database, worker);
}

/** To be called after a submission was stored. A process that works on none leaves it to `reconcile`. */
export const submissionStored = (database: Database): void => workers.get(database)?.stored();

/** The refusal of what would be one more unconfirmed request of a project, of which its leaders are told (behaviour B12.6). */
export function tooManyUnconfirmed(database: Database, projectId: string): AppError {
  workers.get(database)?.refused(projectId);
  return new AppError('RATE_LIMIT_EXCEEDED', 'Too many people were asked to confirm today, and have not', {
    details: { retryAfter: 3_600 },
    suggestion: 'Check who sends these requests. They are taken again as people confirm, or after a day',
  });
}
