import { z } from 'zod';
import { isoDate, notGiven, requiredText, role, trackingMode, uuid } from '../kernel/schemas.ts';

/** Control characters, line separators, invisible characters and those that override text direction. */
const hiddenCharacter = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Emoji sequences contain joiners that are invisible on their own. */
const hasHiddenCharacter = (name: string): boolean =>
  hiddenCharacter.test(name.replace(/\p{RGI_Emoji}/gv, ''));

export const projectName = requiredText(100).refine((name) => !hasHiddenCharacter(name), {
  params: { code: 'custom' },
  message: 'Must not contain control, invisible or direction-changing characters',
});

/** ISO 639 with an optional ISO 3166 country: `en`, `en-GB`. */
const language = z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/, 'Must be a language such as en or en-GB');

export const createProjectInput = z.object({ name: projectName });
export const projectIdInput = z.object({ id: uuid });
export const updateProjectInput = z.object({
  id: uuid,
  name: notGiven(projectName),
  tracking: notGiven(trackingMode),
  language: notGiven(language),
});

export const projectOutput = z.object({
  id: z.uuid(),
  name: z.string(),
  public: z.string(),
  secret: z.string().nullable(),
  webhookSecret: z.string().nullable(),
  disabled: z.boolean(),
  disabledReason: z.enum(['PAYMENT_FAILED', 'EMAIL_REPUTATION', 'PHISHING_DETECTED', 'MANUAL']).nullable(),
  customer: z.string().nullable(),
  subscription: z.string().nullable(),
  billingLimitWorkflows: z.int().nullable(),
  billingLimitCampaigns: z.int().nullable(),
  billingLimitTransactional: z.int().nullable(),
  tracking: trackingMode,
  language: z.string(),
  role,
  createdAt: isoDate,
  updatedAt: isoDate,
});

export type ProjectOutput = z.input<typeof projectOutput>;
export const projectListOutput = z.array(projectOutput);
