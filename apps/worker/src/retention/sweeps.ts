import { sweepClients, sweepConsent } from '@postrider/core/audience/consent';
import { sweepJobs } from '@postrider/core/audience/contacts';
import { sweepEvents, sweepEventTraces } from '@postrider/core/audience/events';
import { sweepGoals } from '@postrider/core/automation/goals';
import { sweepExecutions } from '@postrider/core/automation/workflows';
import { sweepPublicAttempts } from '@postrider/core/base/attempts';
import { sweepFigures } from '@postrider/core/base/figures';
import { sweepIdempotencyKeys } from '@postrider/core/base/idempotency';
import { finishDropsOf } from '@postrider/core/base/slices';
import { sweepApprovals } from '@postrider/core/insight/approvals';
import { sweepRequestLog } from '@postrider/core/insight/requests';
import { sweepWebhookDeliveries } from '@postrider/core/insight/webhook-endpoints';
import { sweepSubmissions, sweepUnconfirmed } from '@postrider/core/mail/forms';
import {
  createEmailSweep,
  keepNeededBlobs,
  sweepAttachments,
  sweepContactLimits,
  sweepContents,
  sweepErasedContents,
  sweepNotices,
  sweepPlatformBodies,
  sweepPlatformMail,
  sweepRecipientLogs,
  sweepSources,
} from '@postrider/core/mail/sending';
import { sweepAudit } from '@postrider/core/people/audit';
import { sweepBilling } from '@postrider/core/people/billing';
import { sweepDomainNotes } from '@postrider/core/people/domains';
import {
  sweepInvitations,
  sweepOwnerDays,
  sweepRotatedKeys,
  sweepSandboxSlots,
} from '@postrider/core/people/projects';
import { sweepAttempts, sweepSignIns } from '@postrider/core/people/users';
import type { Sweep } from './run-sweeps.ts';

/** All kinds of data whose retention ends by itself (behaviour B8.5). */
export const sweeps: readonly Sweep[] = [
  { kind: 'audit log', remove: sweepAudit },
  { kind: 'idempotency keys', remove: sweepIdempotencyKeys },
  { kind: 'invitations', remove: sweepInvitations },
  { kind: 'days of owners', remove: sweepOwnerDays },
  { kind: 'rotated keys', remove: sweepRotatedKeys },
  { kind: 'sandbox slots', remove: sweepSandboxSlots },
  { kind: 'sessions and tokens', remove: sweepSignIns },
  { kind: 'sign-in limits', remove: sweepAttempts },
  { kind: 'limits of public pages', remove: sweepPublicAttempts },
  { kind: 'submissions', remove: sweepSubmissions },
  { kind: 'contacts that nobody confirmed', remove: sweepUnconfirmed },
  { kind: 'jobs', remove: sweepJobs },
  { kind: 'billing', remove: sweepBilling },
  { kind: 'attachments', prepare: keepNeededBlobs, remove: sweepAttachments },
  { kind: 'contents', remove: sweepContents },
  { kind: 'texts of erased contacts', remove: sweepErasedContents },
  { kind: 'consent of deleted contacts', remove: sweepConsent },
  { kind: 'clients of old opt-outs', remove: sweepClients },
  { kind: 'limits per contact', remove: sweepContactLimits },
  { kind: 'cached figures', remove: sweepFigures },
  { kind: 'notices', remove: sweepNotices },
  { kind: 'messages of test projects', remove: sweepSources },
  { kind: 'notes of domains', remove: sweepDomainNotes },
  { kind: 'bodies of platform email', remove: sweepPlatformBodies },
  { kind: 'platform email', remove: sweepPlatformMail },
  { kind: 'webhook deliveries', remove: sweepWebhookDeliveries },
  { kind: 'request log', remove: sweepRequestLog },
  { kind: 'approvals', remove: sweepApprovals },
  { kind: 'events', remove: sweepEvents },
  { kind: 'emails', ...createEmailSweep() },
  { kind: 'recipients of removed emails', remove: sweepRecipientLogs },
  { kind: 'traces of events', remove: sweepEventTraces },
  { kind: 'executions', remove: sweepExecutions },
  { kind: 'goals', remove: sweepGoals },
  { kind: 'slices of expired rows', remove: finishDropsOf },
];
