import type { Role, Secrets } from '../kernel/index.ts';
import type { ProjectOutput } from './projects.schema.ts';
import type { ProjectRow } from './projects.store.ts';

/** A project as shown to one of its members; secrets are null for a MEMBER (behaviour B5.4). */
export function presentProject(secrets: Secrets, row: ProjectRow, role: Role): ProjectOutput {
  const reveal = (cipher: string | null): string | null => (cipher === null ? null : secrets.decrypt(cipher));
  const revealToLeaders = (cipher: string | null): string | null =>
    role === 'MEMBER' ? null : reveal(cipher);
  return {
    ...row,
    role,
    public: reveal(row.publicKeyCipher) ?? '',
    secret: revealToLeaders(row.secretKeyCipher),
    webhookSecret: revealToLeaders(row.webhookSecretCipher),
  };
}
