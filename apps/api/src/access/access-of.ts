import { type Operation, permissions } from '@postrider/core/base/kernel';
import type { Credential } from './gate.ts';

/** The credential that can have an operation's permission (behaviour B5.4). */
export function credentialOf({ permission }: Pick<Operation, 'permission'>): Credential {
  const grant: { scope: string; secretKey?: boolean; publicKey?: boolean } = permissions[permission];
  if (grant.scope === 'public') return 'none';
  if (grant.publicKey) return 'public-key';
  return grant.secretKey ? 'secret-or-session' : 'session';
}

/** Whether an operation belongs to one project, not to the account of a user. */
export const isOfProject = ({ permission }: Pick<Operation, 'permission'>): boolean =>
  permissions[permission].scope === 'project';
