import type { Kind } from './ledger.rules.ts';

/** The PostgreSQL channel for notifications of new email. */
export const outboxChannel = 'postrider_outbox';

const bulkSuffix = ' bulk';

/** The payload is the project's id, for campaigns with a suffix. */
export const payloadOf = (projectId: string, kind: Kind): string =>
  kind === 'bulk' ? `${projectId}${bulkSuffix}` : projectId;

/** The project and kind of a payload. */
export const readPayload = (payload: string): { projectId: string; kind: Kind } =>
  payload.endsWith(bulkSuffix)
    ? { projectId: payload.slice(0, -bulkSuffix.length), kind: 'bulk' }
    : { projectId: payload, kind: 'direct' };
