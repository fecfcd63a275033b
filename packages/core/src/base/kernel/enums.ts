import type { z } from 'zod';
import { MAIL_LANGUAGES } from '../lib/mail-languages.ts';
import { namedEnum } from './type-names.ts';

/** Enums that more than one area uses. Each is written once; everything else is derived from here. */

export const emailClass = namedEnum('EmailClass', ['TRANSACTIONAL', 'MARKETING', 'HEADLESS']);
export const emailSource = namedEnum('EmailSource', ['TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'TEST']);
export const campaignStatus = namedEnum('CampaignStatus', [
  'DRAFT',
  'SCHEDULED',
  'SENDING',
  'SENT',
  'CANCELLED',
]);
export const approvalStatus = namedEnum('ApprovalStatus', [
  'PENDING',
  'RUNNING',
  'DONE',
  'FAILED',
  'APPROVED',
  'DECLINED',
  'EXPIRED',
]);
export const trackingMode = namedEnum('TrackingMode', ['ENABLED', 'DISABLED', 'MARKETING_ONLY']);
export const disabledReason = namedEnum('DisabledReason', [
  'PAYMENT_FAILED',
  'EMAIL_REPUTATION',
  'PHISHING_DETECTED',
  'MANUAL',
]);
export const keyScope = namedEnum('KeyScope', ['full', 'send', 'read', 'track', 'agent']);
export const mailLanguage = namedEnum('MailLanguage', MAIL_LANGUAGES);
export const role = namedEnum('Role', ['OWNER', 'ADMIN', 'MEMBER']);
export const sortDirection = namedEnum('SortDirection', ['asc', 'desc']);
export const sortColumn = namedEnum('SortColumn', ['name', 'createdAt', 'updatedAt']);
/** What the receiving side says about an email, in the order in which a refusal is read (behaviour B3.7). */
export const diagnosisClass = namedEnum('DiagnosisClass', [
  'no_mailbox',
  'no_domain',
  'closed',
  'full',
  'authentication',
  'blocked',
  'content',
  'too_large',
  'policy',
  'unreachable',
  'other',
]);
export type DiagnosisClass = z.output<typeof diagnosisClass>;

/** Classes of refusals that are about the sender, of which its owner and admins are warned (behaviour B4.19). */
export const senderRefusals = [
  'blocked',
  'authentication',
  'content',
] as const satisfies readonly DiagnosisClass[];
export type SenderRefusal = (typeof senderRefusals)[number];
