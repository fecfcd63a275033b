import { type Operation, permissions } from '@postrider/core/kernel';
import type { Credential } from './gate.ts';

/** Which credentials an operation's permission can be held by (behaviour B5.4). */
export function credentialOf({ permission }: Pick<Operation, 'permission'>): Credential {
  const grant: { scope: string; secretKey?: boolean; publicKey?: boolean } = permissions[permission];
  if (grant.scope === 'public') return 'none';
  if (grant.publicKey) return 'public-key';
  return grant.secretKey ? 'secret-or-session' : 'session';
}

/** Whether an operation is about one project; the account's own matters are not. */
export const isOfProject = ({ permission }: Pick<Operation, 'permission'>): boolean =>
  permissions[permission].scope === 'project';
