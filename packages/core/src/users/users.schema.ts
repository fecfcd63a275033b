import { z } from 'zod';
import { emailAddress, isoDate, notGiven } from '../kernel/fields.ts';

const given = z
  .string()
  .refine((value) => value !== '', { params: { code: 'required' }, message: 'Required', abort: true });

/** A new password. Spaces count; nothing is trimmed. */
export const newPassword = given
  .refine((value) => value.length >= 8, { params: { code: 'too_small' }, message: 'At least 8 characters' })
  .refine((value) => value.length <= 128, { params: { code: 'too_big' }, message: 'At most 128 characters' })
  .meta({ minLength: 8, maxLength: 128 });

/** The token of an invitation by mail; a valid one joins its project and verifies the address. */
const invitation = notGiven(z.string());

export const signupInput = z.object({ email: emailAddress, password: newPassword, invitation });
export const loginInput = z.object({ email: emailAddress, password: given, invitation });
export const changePasswordInput = z.object({ currentPassword: given, newPassword });

/** The token of a link in an email; one of a wrong form is refused like an unknown one. */
const token = given;

export const tokenInput = z.object({ token: token.describe('The token of the link') });
export const verifiedOutput = z.object({ id: z.uuid(), email: z.string(), emailVerified: z.literal(true) });
export const requestVerificationInput = z.object({
  email: notGiven(emailAddress).describe('Required without a session'),
});
export const requestPasswordResetInput = z.object({ email: emailAddress });
export const resetPasswordInput = z.object({ token, password: newPassword });

export const accountOutput = z.object({ id: z.uuid(), email: z.string() });

export const userOutput = z.object({
  id: z.uuid(),
  email: z.string(),
  type: z.enum(['PASSWORD', 'GITHUB_OAUTH', 'GOOGLE_OAUTH']),
  emailVerified: z.boolean(),
  createdAt: isoDate,
});

export const successOutput = z.object({ success: z.literal(true) });
