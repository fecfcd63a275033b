import type { Database } from '../../base/db/index.ts';

/** A backup of the installation is whole. */
export const noteBackup = ({ durable }: Database): Promise<unknown> =>
  durable.query(`UPDATE "Installation" SET "backedUpAt" = now() WHERE "id" = 1`);
