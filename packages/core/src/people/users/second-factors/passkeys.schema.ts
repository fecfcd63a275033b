import { z } from 'zod';
import { isoDate, notGiven, recordId, requiredName } from '../../../base/kernel/fields.ts';
import { typeNames } from '../../../base/kernel/type-names.ts';
import { password } from '../password.schema.ts';
import { code, codeMeta } from './code.schema.ts';

/** Bytes as WebAuthn writes them in JSON. */
const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/, 'Must be base64url');

const credentialId = base64url(2000).meta({
  description: 'Identifier of the credential.',
  examples: ['x9Jq3vNnQk2uT8mYwLr0aA'],
});
const clientDataJSON = base64url(10_000).meta({
  description: 'What the browser signed, as base64url of JSON.',
  examples: ['eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'],
});

/** The answer of `navigator.credentials.get()` as JSON (WebAuthn, 5.1): further fields are ignored. */
export const passkeyAnswer = z.looseObject({
  id: credentialId,
  response: z
    .looseObject({
      clientDataJSON,
      authenticatorData: base64url(10_000).meta({
        description: 'What the authenticator signed.',
        examples: ['SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ'],
      }),
      signature: base64url(10_000).meta({
        description: 'Signature of the authenticator.',
        examples: ['MEUCIQDkz3vNnQk2uT8mYwLr0aAIgQk2uT8mYwLr0aA'],
      }),
    })
    .describe('What the authenticator returned.'),
});
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;

/** The answer of `navigator.credentials.create()` as JSON: further fields are ignored. */
export const newCredential = z.looseObject({
  id: credentialId,
  response: z
    .looseObject({
      clientDataJSON,
      attestationObject: base64url(100_000).meta({
        description: 'The new credential.',
        examples: ['o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVik'],
      }),
      transports: z
        .array(
          z.string().refine((value) => value.length <= 50, {
            params: { code: 'too_big' },
            message: 'At most 50 characters',
          }),
        )
        .max(10)
        .optional()
        .meta({ description: 'How the authenticator can be reached.', examples: [['usb', 'nfc']] }),
    })
    .describe('What the authenticator returned.'),
});
export type NewCredential = z.output<typeof newCredential>;

/** A code, or the answer of a passkey to a challenge; one of the two is required. */
export const proofFields = {
  code: notGiven(code).meta(codeMeta),
  passkey: notGiven(passkeyAnswer).describe('Answer of a passkey to the challenge, instead of a code.'),
};
export const proofInput = z.object(proofFields);
export type Proof = z.output<typeof proofInput>;

/** The password, which the first second factor of an account needs. */
const ownPassword = notGiven(password).meta({
  description: 'Password of the account, for its first second factor in a session older than 10 minutes.',
  examples: ['correct horse battery'],
});
export const addAppInput = z.object({ ...proofFields, password: ownPassword });

export const passkeyOutput = z
  .object({
    id: recordId.describe('Id of the passkey.'),
    name: z.string().meta({ description: 'Name of the passkey.', examples: ['Work laptop'] }),
    addedAt: isoDate.describe('When it was added.'),
    lastUsedAt: isoDate.nullable().describe('When it was last used; null before the first time.'),
  })
  .register(typeNames, { name: 'Passkey' });

export const addPasskeyInput = z.object({
  name: requiredName(100).meta({ description: 'Name of the passkey.', examples: ['Work laptop'] }),
  credential: newCredential.describe('Answer of `navigator.credentials.create()` as JSON.'),
  ...proofFields,
  password: ownPassword,
});
export const addedPasskeyOutput = z.object({
  passkey: passkeyOutput.describe('The new passkey.'),
  recoveryCodes: z
    .array(z.string())
    .nullable()
    .meta({
      description: 'Ten recovery codes, shown this once, if it is the first second factor; null otherwise.',
      examples: [['7k2m-9xq4-0vbt-h3ra']],
    }),
});
export const removePasskeyInput = z.object({
  id: recordId.describe('Id of the passkey.'),
  ...proofFields,
});

const options = z.record(z.string(), z.unknown());

export const creationOptionsOutput = z.object({
  options: options.meta({
    description:
      'Options for `navigator.credentials.create()`, as JSON (`PublicKeyCredentialCreationOptionsJSON`).',
    examples: [{ challenge: 'QyZAGhtFMnFlHvpZmEhzqCBNRtWkZBBkXBWfPpMjHZg' }],
  }),
});
export const requestOptionsOutput = z.object({
  options: options.nullable().meta({
    description:
      'Options for `navigator.credentials.get()`, as JSON (`PublicKeyCredentialRequestOptionsJSON`); null without a passkey.',
    examples: [{ challenge: 'QyZAGhtFMnFlHvpZmEhzqCBNRtWkZBBkXBWfPpMjHZg' }],
  }),
});
