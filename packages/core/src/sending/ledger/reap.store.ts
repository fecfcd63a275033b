import type { PoolClient } from 'pg';
import { addToCounters, settle } from './settle.store.ts';

/** The reason on emails whose worker was lost after their transfer began. */
export const interruptedText =
  'The worker stopped while the message was being transferred. The mail server may have accepted it';

export interface Reaped {
  givenBack: number;
  uncertain: number;
}

/**
 * Removes expired leases. Deliveries that have not begun can be claimed again at once, their fence cleared; those
 * that have begun without an answer become UNCERTAIN and keep their fence, so that a late answer is still accepted.
 */
export async function reapExpiredLeases(client: PoolClient, projectId: string): Promise<Reaped> {
  await client.query('BEGIN');
  try {
    const { rows: leases } = await client.query<{ token: string }>(
      `DELETE FROM "DeliveryLease" WHERE "projectId" = $1 AND "leaseUntil" < clock_timestamp() RETURNING "token"`,
      [projectId],
    );
    if (leases.length === 0) {
      await client.query('COMMIT');
      return { givenBack: 0, uncertain: 0 };
    }
    const tokens = leases.map(({ token }) => token);
    const { rowCount } = await client.query(
      `UPDATE "Delivery" SET "token" = NULL WHERE "projectId" = $1 AND "token" = ANY($2) AND "dataStartedAt" IS NULL`,
      [projectId, tokens],
    );
    const { rows: begun } = await client.query<{ emailId: string; token: string }>(
      `SELECT "emailId", "token" FROM "Delivery" WHERE "projectId" = $1 AND "token" = ANY($2) ORDER BY "emailId"`,
      [projectId, tokens],
    );
    const at = new Date();
    const { deltas } = await settle(
      client,
      begun.map(({ emailId, token }) => ({
        id: emailId,
        token,
        outcome: 'uncertain',
        error: interruptedText,
        reason: null,
        subject: null,
        providerId: null,
        nextAttemptAt: null,
        hardBounce: false,
        at,
      })),
    );
    if (deltas.length > 0) await addToCounters(client, deltas);
    await client.query('COMMIT');
    return { givenBack: rowCount ?? 0, uncertain: begun.length };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
