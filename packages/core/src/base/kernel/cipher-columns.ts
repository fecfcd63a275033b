/**
 * Every column that holds a text encrypted with APP_SECRET, as `<table>.<column>`. Its table has a primary key `id`. A rotation of the
 * secret encrypts them again, and a ciphertext can only be decrypted at its place: the column and the id of its row.
 */
export const cipherColumns = [
  'Project.publicKeyCipher',
  'Project.secretKeyCipher',
  'Project.webhookSecretCipher',
  'DomainKey.privateCipher',
  'AuthenticatorApp.secretCipher',
  'WebhookEndpoint.secretCipher',
  'WebhookEndpoint.previousSecretCipher',
  'Content.sealedBody',
  'Erasure.addressCipher',
] as const;

export type CipherColumn = (typeof cipherColumns)[number];
