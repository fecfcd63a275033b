import { sandboxLimitError } from '../../people/projects/sandbox.rules.ts';
import { skipReason } from '../eligibility/index.ts';
import type { BatchResult, ClaimedBatch, ClaimedEmail } from '../ledger/index.ts';
import { unsendable } from '../ledger/unsendable.rules.ts';

type BatchFacts = Omit<ClaimedBatch, 'emails'>;

/** The result of a claimed email that must not be sent, or cannot be; null when it is to be sent. */
export function refusalOf(batch: BatchFacts, email: ClaimedEmail): BatchResult | null {
  const reason = skipReason({
    ...email,
    // A contact that was erased during the freeze of its campaign leaves its id in the email.
    contactId: email.contactEmail === null ? null : email.contactId,
    stopped: batch.stopped,
    campaignStatus: batch.campaignStatus,
    projectDisabled: batch.projectDisabled,
    projectDeleted: batch.projectDeleted,
  });
  if (reason) return { outcome: 'skipped', reason };
  if (batch.domainId !== null && !batch.domainExists) {
    return { outcome: 'unsendable', error: unsendable.domainRemoved };
  }
  if (batch.domainIsLocal) return { outcome: 'unsendable', error: unsendable.domainUnverified };
  if (email.isBeyondSandbox) return { outcome: 'skipped', reason: 'sandbox', error: sandboxLimitError };
  return email.limited;
}
