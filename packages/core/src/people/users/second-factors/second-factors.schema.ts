import { z } from 'zod';
import { isoDate } from '../../../base/kernel/fields.ts';
import { accountOutput, invitation } from '../users.schema.ts';
import { code } from './code.schema.ts';
import { passkeyOutput, proofFields } from './passkeys.schema.ts';

export const codeInput = z.object({ code });

const token = z
  .string()
  .max(1000)
  .meta({
    description: 'Token of the reply to the login.',
    examples: ['4f9deyJraW5kIjoic2Vjb25kIGZhY3RvciJ9'],
  });

export const pendingLoginInput = z.object({ token });
export const secondFactorInput = z.object({ token, ...proofFields, invitation });

/** A login is complete, or asks for the second factor. */
export const loginOutput = z.union([
  accountOutput,
  z.object({
    secondFactor: z
      .object({
        token: z.string().meta({
          description: 'Token for `POST /auth/second-factor`.',
          examples: ['4f9deyJraW5kIjoic2Vjb25kIGZhY3RvciJ9'],
        }),
        expiresAt: isoDate.describe('When the token expires.'),
      })
      .describe('The password is right, and the second factor completes the login.'),
  }),
]);

export const secondFactorsOutput = z.object({
  authenticatorApp: z
    .object({ addedAt: isoDate.describe('When it was turned on.') })
    .nullable()
    .describe('The authenticator app; null without one.'),
  passkeys: z.array(passkeyOutput).describe('The passkeys, the oldest first.'),
  recoveryCodesLeft: z.int().meta({ description: 'Recovery codes that were not used yet.', examples: [10] }),
  needsPassword: z.boolean().meta({
    description:
      'Whether adding a second factor in this session takes the password: there is none, and the session is older than 10 minutes.',
    examples: [false],
  }),
});

export const enrolmentOutput = z.object({
  secret: z
    .string()
    .meta({ description: 'Secret to type into the app, as base32.', examples: ['JBSWY3DPEHPK3PXP'] }),
  uri: z.string().meta({
    description: 'The same as a link that apps open.',
    examples: ['otpauth://totp/Postrider:user@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Postrider'],
  }),
  qrCode: z.string().meta({
    description: 'The link as a QR code: a `data:` URL of an SVG image.',
    examples: ['data:image/svg+xml;base64,PHN2Zz48L3N2Zz4='],
  }),
});

export const recoveryCodesOutput = z.object({
  recoveryCodes: z.array(z.string()).meta({
    description: 'Ten codes, shown this once; each works once.',
    examples: [['7k2m-9xq4-0vbt-h3ra']],
  }),
});
