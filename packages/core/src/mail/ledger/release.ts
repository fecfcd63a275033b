import { Prisma } from '../../base/db/index.ts';

/** Assignments that make a held batch wait again as it was before its claim. Only for batches of which nothing has begun. */
export const released = Prisma.sql`"token" = NULL, "worker" = NULL, "leaseUntil" = NULL, "stopped" = false, "begun" = NULL, "answered" = NULL,
  "written" = NULL, "results" = NULL, "progressAt" = NULL`;
