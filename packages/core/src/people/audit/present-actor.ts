import type { AuditRow } from './audit.store.ts';

/** Who did something, by the columns in which that is stored. */
export function presentActor({
  actorType,
  actorId,
  actorEmail,
  keyId,
  keyName,
}: Pick<AuditRow, 'actorType' | 'actorId' | 'actorEmail' | 'keyId' | 'keyName'>) {
  switch (actorType) {
    case 'user':
      return { type: 'user' as const, id: actorId, label: actorEmail ?? 'Deleted user' };
    case 'key':
      return {
        type: 'key' as const,
        id: actorId,
        label: keyName ?? (keyId?.startsWith('public:') ? 'Public key' : 'Secret key'),
      };
    case 'anonymous':
      return { type: 'system' as const, id: null, label: 'Not signed in' };
    default:
      return { type: 'system' as const, id: null, label: 'Postrider' };
  }
}
