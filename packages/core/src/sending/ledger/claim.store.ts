import type { PoolClient } from 'pg';
import type { BatchKey } from './batch.ts';

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

/**
 * Claims due batches of several projects, each within its sending rate (B8.2: one token per attempt, never returned): by priority, oldest
 * due first. `bulk` claims only when no direct email of the project is due, and leaves a fifth of the rate to it. A batch larger than what
 * may be claimed is split.
 *
 * Runs on a connection with `synchronous_commit=off`: a claim that a crash of the database undoes is detected by `recordProgress`, which is
 * durable and checks the fence. What decides whether an email is sent is read afterwards, by `readBatches`.
 */
export async function claimBatches(_client: PoolClient, _request: ClaimRequest): Promise<Claim> {
  throw new Error('in work');
}

/**
 * Releases batches that this worker claimed without learning of it (the commit of the claim is unknown): those under tokens that it does
 * not know. @returns how many
 */
export async function releaseUnread(
  _client: PoolClient,
  _worker: string,
  _knownTokens: readonly string[],
): Promise<number> {
  throw new Error('in work');
}
