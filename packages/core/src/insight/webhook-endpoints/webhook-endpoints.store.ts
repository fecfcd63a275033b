import type { Db } from '../../base/db/index.ts';
import type { WebhookFormat } from './formats/format-types.rules.ts';

export interface EndpointRow {
  id: string;
  projectId: string;
  url: string;
  description: string | null;
  types: string[];
  format: WebhookFormat;
  publicKey: string | null;
  enabled: boolean;
  disabledReason: string | null;
  secretCipher: string;
  createdAt: Date;
  updatedAt: Date;
}

export type EndpointChange = Partial<
  Pick<
    EndpointRow,
    'url' | 'description' | 'types' | 'enabled' | 'disabledReason' | 'secretCipher' | 'publicKey'
  >
> & {
  previousSecretCipher?: string;
  previousSecretUntil?: Date;
  failingSince?: null;
};

export const findEndpoints = (db: Db, projectId: string): Promise<EndpointRow[]> =>
  db.webhookEndpoint.findMany({ where: { projectId }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });

export const findEndpoint = (db: Db, projectId: string, id: string): Promise<EndpointRow | null> =>
  db.webhookEndpoint.findFirst({ where: { id, projectId } });

/** The same under a lock until the end of the transaction. */
export async function lockEndpoint(db: Db, projectId: string, id: string): Promise<EndpointRow | null> {
  await db.$queryRaw`
    SELECT FROM "WebhookEndpoint" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid FOR UPDATE`;
  return findEndpoint(db, projectId, id);
}

/** Counts the endpoints of a project, so that no concurrent transaction adds one in the meantime. */
export async function countEndpoints(db: Db, projectId: string): Promise<number> {
  await db.$queryRaw`SELECT FROM "Project" WHERE "id" = ${projectId}::uuid FOR NO KEY UPDATE`;
  return db.webhookEndpoint.count({ where: { projectId } });
}

export const insertEndpoint = (
  db: Db,
  endpoint: Pick<
    EndpointRow,
    'id' | 'projectId' | 'url' | 'description' | 'types' | 'format' | 'publicKey' | 'enabled' | 'secretCipher'
  >,
): Promise<EndpointRow> => db.webhookEndpoint.create({ data: endpoint });

export const changeEndpoint = (db: Db, id: string, change: EndpointChange): Promise<EndpointRow> =>
  db.webhookEndpoint.update({ where: { id }, data: change });

/** Its deliveries are removed at the end of their retention. */
export const removeEndpoint = async (db: Db, id: string): Promise<void> => {
  await db.webhookEndpoint.delete({ where: { id } });
};

export interface DisabledEndpoint {
  id: string;
  projectId: string;
  url: string;
  projectName: string;
}

/** Disables an enabled endpoint. @returns null when it is disabled or deleted already */
export async function markDisabled(db: Db, id: string, reason: string): Promise<DisabledEndpoint | null> {
  const [row] = await db.$queryRaw<DisabledEndpoint[]>`
    UPDATE "WebhookEndpoint" w SET "enabled" = false, "disabledReason" = ${reason}, "updatedAt" = now()
    FROM "Project" p WHERE w."id" = ${id}::uuid AND w."enabled" AND p."id" = w."projectId"
    RETURNING w."id", w."projectId", w."url", p."name" AS "projectName"`;
  return row ?? null;
}
