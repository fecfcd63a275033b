import type { PoolClient } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';
import type { SharedMessage } from '../message/index.ts';
import type { SharedValues } from './ledger.rules.ts';

/** A shared message, with the values that fill it in for everybody. They are gone once the contact of its first recipient is deleted. */
export type StoredShared = SharedMessage & SharedValues;

interface Row {
  sharedMessageId: string;
  id: string;
  isCopied: boolean;
  to: string;
  toName: string | null;
  contactId: string | null;
  subscribed: boolean | null;
  vars: Record<string, unknown> | null;
}

/* Ids are made in the order of the fields and of the addresses in them. Blind copies are in no field. */
const read = prepared<{ ids: string[] }>(
  'read-shared',
  ({ ids }) => Prisma.sql`
SELECT e."sharedMessageId", e."id", e."recipientType" IS NOT NULL AS "isCopied", e."to", e."toName", e."contactId",
  e."acceptedSubscribed" AS "subscribed", e."vars"
FROM "Email" e WHERE e."sharedMessageId" = ANY(${ids}::uuid[]) AND e."recipientType" IS DISTINCT FROM 'BCC'
ORDER BY e."sharedMessageId", e."id"`,
);

/** Shared messages by their ids. Whoever was erased is in them no more. */
export async function readShared(
  client: PoolClient,
  ids: readonly string[],
): Promise<Map<string, StoredShared>> {
  const { rows } = await client.query<Row>(read({ ids: [...new Set(ids)] }));
  const messages = new Map<string, StoredShared>();
  for (const [id, recipients] of Map.groupBy(rows, ({ sharedMessageId }) => sharedMessageId)) {
    const first = recipients.find((recipient) => recipient.id === id);
    const shown = (isCopied: boolean) =>
      recipients.flatMap(({ to, toName, ...recipient }) =>
        recipient.isCopied === isCopied && to !== '' ? [{ email: to, name: toName }] : [],
      );
    messages.set(id, {
      id,
      to: shown(false),
      cc: shown(true),
      contactId: first?.contactId ?? null,
      address: first?.to ?? '',
      subscribed: first?.subscribed ?? null,
      vars: first?.vars ?? null,
    });
  }
  return messages;
}
