import type { PoolClient } from 'pg';
import type { EmailClass, EmailSource } from '../../db/index.ts';
import type { BatchKey } from './batch.ts';

/** An email of a claimed batch, with everything that decides whether and how it is handed over. */
export interface ClaimedEmail {
  /** its position in the batch and in its bitmaps, from 0 */
  n: number;
  id: string;
  projectId: string;
  campaignId: string | null;
  domainId: string | null;
  to: string;
  toName: string | null;
  type: EmailClass;
  sourceType: EmailSource;
  contentId: string;
  /** the values of its variables, when they were fixed at its creation; otherwise those of the contact count */
  vars: Record<string, unknown> | null;
  tracked: boolean;
  attempts: number;
  contactId: string | null;
  /** null when the contact does not exist */
  contactEmail: string | null;
  contactSubscribed: boolean | null;
  /** null when `vars` is set */
  contactData: Record<string, unknown> | null;
  acceptedSubscribed: boolean | null;
  suppressed: boolean;
  /** the address contains control characters */
  invalid: boolean;
  /** an earlier attempt may have delivered it */
  uncertain: boolean;
}

export interface ClaimedBatch extends BatchKey {
  projectId: string;
  campaignId: string | null;
  domainId: string | null;
  domainExists: boolean;
  firstAnsweredAt: Date | null;
  /** milliseconds since `firstAnsweredAt` by the database's clock; null before the first answer */
  answeredForMs: number | null;
  /** number of positions, emails that are settled already included */
  total: number;
  stopped: boolean;
  /** null outside of campaigns; a deleted campaign counts as cancelled */
  campaignStatus: string | null;
  projectDisabled: boolean;
  projectDeleted: boolean;
  leaseLeftMs: number;
  /** what is to be sent, in the order of n; positions without an email are settled already (outcome `gone`) */
  emails: ClaimedEmail[];
}

/**
 * Reads claimed batches after the commit of their claim, so that every change committed before (an opt-out, a cancelled campaign) is seen.
 * Batches that the token does not hold are missing.
 */
export async function readBatches(
  _client: PoolClient,
  _batches: readonly BatchKey[],
): Promise<ClaimedBatch[]> {
  throw new Error('in work');
}
