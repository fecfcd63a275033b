import { type Context, isPermitted } from '../../base/kernel/index.ts';
import type { ActRow } from './acts.store.ts';

/** Client addresses are shown to those who may see them. */
export const seesClients = ({ actor }: Pick<Context, 'actor'>): boolean =>
  isPermitted(actor, 'privacy:manage');

const labels = {
  recipient: 'Recipient',
  user: 'Deleted user',
  key: 'Key of the project',
  system: 'Postrider',
} as const;

/** An act as callers see it. */
export function presentAct(
  { actor, actorId, keyName, actorEmail, page, ip, userAgent, evidence, ...act }: ActRow,
  isOpen: boolean,
) {
  return {
    ...act,
    actor: { type: actor, id: actorId, label: actorEmail ?? keyName ?? labels[actor] },
    page: isOpen ? page : null,
    ip: isOpen ? ip : null,
    userAgent: isOpen ? userAgent : null,
    evidence: isOpen ? evidence : null,
  };
}
