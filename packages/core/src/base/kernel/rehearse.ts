import type { Context } from './context.ts';
import { badRequest } from './errors.ts';
import type { Services } from './services.ts';

/** @throws AppError BAD_REQUEST where something outside of the database is part of the call */
export function refuseDryRun(): never {
  throw badRequest('This cannot be a dry run: something outside of the database is part of it', {
    suggestion: 'Send the request without Dry-Run',
  });
}

/**
 * Carries `run` out and undoes it (a dry run, behaviour B15.11): its statements are those of the real call, in one transaction that is
 * rolled back. What would follow a commit does not happen.
 *
 * @throws AppError BAD_REQUEST when it would change something outside of the database
 */
export const rehearse = <T>(ctx: Context, run: (ctx: Context) => Promise<T>): Promise<T> =>
  ctx.services.database.undone((database) => {
    const services = { ...withoutWayOut(ctx.services), database };
    return run({ ...ctx, services, db: database.prisma });
  });

/** Hints are lost, as hints may be, and what asks or changes somebody else is refused. */
const withoutWayOut = (services: Services): Services => ({
  ...services,
  isRehearsal: true,
  workflows: {
    signal: async () => true,
    signalDebounced: () => undefined,
    request: async () => refuseDryRun(),
    healthy: () => services.workflows.healthy(),
    close: async () => undefined,
  },
  http: { mayReach: (url) => services.http.mayReach(url), send: refuseDryRun },
  files: {
    urlOf: (key) => services.files.urlOf(key),
    open: (key) => services.files.open(key),
    isLow: () => services.files.isLow(),
    put: refuseDryRun,
    remove: refuseDryRun,
  },
  senderIdentities: services.senderIdentities && { register: refuseDryRun, isReady: refuseDryRun },
  payments: services.payments && {
    openCheckout: refuseDryRun,
    openPortal: refuseDryRun,
    findInvoices: refuseDryRun,
    findUpcomingInvoice: refuseDryRun,
    findCredits: refuseDryRun,
    endSubscription: refuseDryRun,
    countsUsage: refuseDryRun,
    reportUsage: refuseDryRun,
    readNotice: refuseDryRun,
  },
  platformMail: {
    write: (db, mail) => services.platformMail.write(db, mail),
    notify: () => undefined,
    forget: (db, email) => services.platformMail.forget(db, email),
  },
  scheduleFollowUps: () => undefined,
});
