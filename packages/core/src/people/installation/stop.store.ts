import type { Database } from '../../base/db/index.ts';

/** From now on nothing is claimed, processes end, and none starts. @returns when it was stopped */
export async function stopInstallation({ durable }: Database): Promise<Date> {
  const { rows } = await durable.query<{ stoppedAt: Date }>(
    `UPDATE "Installation" SET "stoppedAt" = coalesce("stoppedAt", clock_timestamp()) WHERE "id" = 1 RETURNING "stoppedAt"`,
  );
  const [row] = rows;
  if (!row) throw new Error('the installation was not stopped');
  return row.stoppedAt;
}

/** Processes may start again. @returns whether it was stopped */
export async function resumeInstallation({ durable }: Database): Promise<boolean> {
  const { rowCount } = await durable.query(
    `UPDATE "Installation" SET "stoppedAt" = NULL WHERE "id" = 1 AND "stoppedAt" IS NOT NULL`,
  );
  return (rowCount ?? 0) > 0;
}
