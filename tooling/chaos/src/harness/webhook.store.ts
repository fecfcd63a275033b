import type { Pool } from 'pg';

/** The deliveries of one endpoint as the product records them. */
export interface EndpointDeliveries {
  url: string;
  enabled: boolean;
  delivered: number;
  pending: number;
  failed: number;
}

export async function readDeliveries(db: Pool, projectId: string): Promise<EndpointDeliveries[]> {
  const { rows } = await db.query<EndpointDeliveries>(
    `SELECT e."url", e."enabled", count(*) FILTER (WHERE d."status" = 'DELIVERED')::int AS "delivered",
       count(*) FILTER (WHERE d."status" = 'PENDING')::int AS "pending", count(*) FILTER (WHERE d."status" = 'FAILED')::int AS "failed"
     FROM "WebhookEndpoint" e LEFT JOIN "WebhookDelivery" d ON d."endpointId" = e."id"
     WHERE e."projectId" = $1 GROUP BY e."id"`,
    [projectId],
  );
  return rows;
}
