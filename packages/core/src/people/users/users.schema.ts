import { z } from 'zod';
import { mailLanguage } from '../../base/kernel/enums.ts';
import { addressText, emailAddress, isoDate, notGiven, recordId } from '../../base/kernel/fields.ts';
import { signInProviderNames } from '../../base/kernel/sign-in-providers.ts';
import { typeNames } from '../../base/kernel/type-names.ts';
import { given, newPassword, password } from './password.schema.ts';
import { proofFields } from './second-factors/passkeys.schema.ts';

/** The token of an invitation by mail; a valid one joins its project and verifies the address. */
export const invitation = notGiven(z.string()).meta({
  description: 'Token of an invitation; it joins its project.',
  examples: ['9f86d081884c7d65'],
});

const passwordText = 'New password, 8 to 128 characters.';
const examplePassword = 'correct horse battery';

export const signupInput = z.object({
  email: emailAddress.describe('Address to sign in with.'),
  password: newPassword.meta({ description: passwordText, examples: [examplePassword] }),
  invitation,
  setupToken: notGiven(z.string()).meta({
    description: 'Set-up token, for the first account of an installation with disabled sign-ups.',
    examples: ['3q2-7wAAb0Zk9JtM1xYcPqRs8uVw5DeF'],
  }),
});
export const loginInput = z.object({
  email: emailAddress.describe('Address of the account.'),
  password: password.meta({ description: 'Password of the account.', examples: [examplePassword] }),
  invitation,
});
/** A user as a sign-in provider has identified them; from the platform itself only. */
export const providerSignInInput = z.object({
  provider: z.enum(signInProviderNames).describe('Name of the provider.'),
  issuer: z.string().meta({
    description: 'Identifier of the provider.',
    examples: ['https://accounts.google.com'],
  }),
  subject: z.string().meta({
    description: 'Identifier of the user at the provider.',
    examples: ['110169484474386276334'],
  }),
  verifiedEmail: emailAddress
    .nullable()
    .describe('Address of the user; null unless the provider confirms that it belongs to them.'),
  invitation,
});
export const changePasswordInput = z.object({
  currentPassword: password.meta({ description: 'The present password.', examples: [examplePassword] }),
  newPassword: newPassword.meta({ description: passwordText, examples: ['a longer passphrase'] }),
});

export const updateMeInput = z.object({
  language: notGiven(mailLanguage).describe('Language of emails from the platform to the user.'),
});

/** The token of a link in an email; one of a wrong form is refused like an unknown one. */
const token = given.meta({ description: 'Token of the link.', examples: ['9f86d081884c7d65'] });

export const tokenInput = z.object({ token });
export const verifyEmailInput = z.object({
  token,
  password: notGiven(password).meta({
    description: 'Password of the account; not needed with a session of the account.',
    examples: [examplePassword],
  }),
  newPassword: notGiven(newPassword).meta({
    description: 'Replaces the password, and ends whatever gave access to the account before.',
    examples: ['a longer passphrase'],
  }),
});
export const verifiedOutput = z.object({
  id: recordId.describe('Id of the user.'),
  email: addressText.describe('Address of the user.'),
  emailVerified: z.literal(true).describe('Always true.'),
});
export const requestVerificationInput = z.object({
  email: notGiven(emailAddress).describe('Address to verify. Required without a session.'),
});
export const requestPasswordResetInput = z.object({
  email: emailAddress.describe('Address of the account.'),
});
export const resetLinkOutput = z.object({
  url: z.string().describe('Address of the page that sets the new password.'),
  expiresAt: isoDate.describe('Until when the link is valid.'),
});
export const resetPasswordInput = z.object({
  token,
  password: newPassword.meta({ description: passwordText, examples: [examplePassword] }),
});

export const deleteMeInput = z.object({
  currentPassword: notGiven(password).meta({
    description: 'The present password. Required for an account with a password.',
    examples: [examplePassword],
  }),
  token: notGiven(given).meta({
    description: 'Token of the link that was sent by email. Required for an account without a password.',
    examples: ['9f86d081884c7d65'],
  }),
  ...proofFields,
});
export type DeleteMeInput = z.output<typeof deleteMeInput>;

export const sessionIdInput = z.object({ id: recordId.describe('Id of the session.') });
export const sessionsOutput = z.array(
  z
    .object({
      id: recordId.describe('Id of the session.'),
      current: z.boolean().describe('Whether it is the session of this request.'),
      createdAt: isoDate.describe('When it was signed in.'),
      lastSeenAt: isoDate.describe('When it was last used, to the minute.'),
      ip: z
        .string()
        .nullable()
        .meta({ description: 'Address it was signed in from.', examples: ['203.0.113.7'] }),
      userAgent: z
        .string()
        .nullable()
        .meta({ description: 'Browser it was signed in with.', examples: ['Mozilla/5.0'] }),
    })
    .register(typeNames, { name: 'Session' }),
);

export const accountOutput = z.object({
  id: recordId.describe('Id of the user.'),
  email: addressText.describe('Address of the user.'),
});

export const userOutput = z.object({
  id: recordId.describe('Id of the user.'),
  email: z.string().meta({ description: 'Address of the user.', examples: ['user@example.com'] }),
  type: z
    .enum(['PASSWORD', 'GITHUB_OAUTH', 'GOOGLE_OAUTH', 'OIDC'])
    .meta({ 'x-name': 'AccountType', description: 'How the user signs in.' }),
  hasPassword: z
    .boolean()
    .describe('Whether the account has a password; one of a sign-in provider has none at first.'),
  emailVerified: z.boolean().describe('Whether the address is proven.'),
  language: mailLanguage.describe('Language of emails from the platform to the user.'),
  createdAt: isoDate.describe('When the user signed up.'),
});

export const successOutput = z
  .object({ success: z.literal(true).describe('Always true.') })
  .meta({ 'x-name': 'Success' });
