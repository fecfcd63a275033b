import type { PoolClient } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';
import type { BatchKey } from './batch.ts';
import { released } from './release.ts';

export interface ClaimRequest {
  /** the projects to claim for, in order, each with the most emails it may get */
  projects: { projectId: string; maxEmails: number }[];
  /** `direct`: transactional, test, workflow and platform email; `bulk`: campaigns */
  kind: 'direct' | 'bulk';
  /** the fence of all batches of this claim; a new one for every call, also when the commit of the previous call is unknown */
  token: string;
  /** identifies the process, and is unique to its lifetime */
  worker: string;
  leaseMs: number;
  /** emails per second of a project without a rate of its own, and the size of its bucket */
  defaultRate: number;
}

export interface ClaimedKey extends BatchKey {
  projectId: string;
  campaignId: string | null;
  count: number;
}

export interface ProjectBacklog {
  projectId: string;
  /** email of this kind is due and was not claimed */
  more: boolean;
  /** set when the rate (or another process that is claiming for this project) holds it back: when to claim again */
  tokensInMs: number | null;
}

export interface Claim {
  batches: ClaimedKey[];
  /** one row per project asked for */
  projects: ProjectBacklog[];
}

interface ClaimRow {
  id: string | null;
  projectId: string;
  campaignId: string | null;
  count: number | null;
  more: boolean | null;
  tokensInMs: number | null;
}

const claim = prepared<
  Omit<ClaimRequest, 'projects' | 'kind'> & { ids: string[]; limits: number[]; bulk: boolean }
>(
  'claim-batches',
  ({ ids, limits, bulk, token, worker, leaseMs, defaultRate }) => Prisma.sql`
SELECT "id", "projectId", "campaignId", "count", "more", "tokensInMs"
FROM claim_batches(${ids}::uuid[], ${limits}::int[], ${bulk}::boolean, ${token}::uuid, ${worker}::text, ${leaseMs}::float8, ${defaultRate}::float8)`,
);

/**
 * Claims due batches of several projects, each within its sending rate (B8.2: one token per attempt, never returned): by priority, oldest
 * due first. Retries get a fifth of it, and what first attempts leave. `bulk` claims only when no direct email of the project is due, and leaves a fifth of the rate to it. A batch larger than what
 * may be claimed is split.
 *
 * Runs on a connection with `synchronous_commit=off`: a claim that a crash of the database undoes is detected by `recordProgress`, which is
 * durable and checks the fence. What decides whether an email is sent is read afterwards, by `readBatches`.
 */
export async function claimBatches(
  client: PoolClient,
  { projects, kind, ...request }: ClaimRequest,
): Promise<Claim> {
  const { rows } = await client.query<ClaimRow>(
    claim({
      ...request,
      bulk: kind === 'bulk',
      ids: projects.map(({ projectId }) => projectId),
      limits: projects.map(({ maxEmails }) => maxEmails),
    }),
  );
  const found: Claim = { batches: [], projects: [] };
  for (const { id, projectId, campaignId, count, more, tokensInMs } of rows) {
    if (id === null) found.projects.push({ projectId, more: more ?? false, tokensInMs });
    else found.batches.push({ id, token: request.token, projectId, campaignId, count: count ?? 0 });
  }
  return found;
}

const release = prepared<{ worker: string; knownTokens: string[] }>(
  'release-unread',
  ({ worker, knownTokens }) => Prisma.sql`
UPDATE "DeliveryBatch" SET ${released}
WHERE "token" IS NOT NULL AND "worker" = ${worker} AND NOT "token" = ANY(${knownTokens}::uuid[])
  AND bit_count("begun") = 0 AND bit_count("answered") = 0`,
);

/**
 * Releases batches that this worker claimed without learning of it (the commit of the claim is unknown): those under tokens that it does
 * not know, unless something of them has begun. @returns how many
 */
export async function releaseUnread(
  client: PoolClient,
  worker: string,
  knownTokens: readonly string[],
): Promise<number> {
  const { rowCount } = await client.query(release({ worker, knownTokens: [...knownTokens] }));
  return rowCount ?? 0;
}
