import type { Role, Secrets } from '../../base/kernel/index.ts';
import { brandOf } from './brand.schema.ts';
import { consentSettingsOf } from './consent-settings.schema.ts';
import type { ContactLimits } from './contact-limits.schema.ts';
import { linkTaggingOf } from './link-tagging.schema.ts';
import type { ProjectOutput } from './projects.schema.ts';
import type { ProjectRow } from './projects.store.ts';

/** A project as shown to one of its members; secrets are null for a MEMBER (behaviour B5.4). */
export function presentProject(secrets: Secrets, row: ProjectRow, role: Role): ProjectOutput {
  const reveal = (name: 'publicKeyCipher' | 'secretKeyCipher' | 'webhookSecretCipher'): string | null =>
    row[name] === null ? null : secrets.decrypt(row[name], `Project.${name}`, row.id);
  const revealToLeaders = (name: 'secretKeyCipher' | 'webhookSecretCipher'): string | null =>
    role === 'MEMBER' ? null : reveal(name);
  return {
    ...row,
    role,
    approval: { required: row.approvalRequired, above: row.approvalAbove },
    brand: brandOf(row.brand),
    consent: consentSettingsOf(row.consent),
    utm: linkTaggingOf(row.utm),
    contactLimits: row.contactLimits as ContactLimits | null,
    public: reveal('publicKeyCipher') ?? '',
    secret: revealToLeaders('secretKeyCipher'),
    webhookSecret: revealToLeaders('webhookSecretCipher'),
  };
}
