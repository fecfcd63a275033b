import { presentActor } from '../../../people/audit/index.ts';
import type { ListedVersionRow } from './versions.store.ts';

/** A version as callers see it. */
export function presentVersion<Row extends ListedVersionRow>({
  number,
  authorType,
  authorId,
  authorEmail,
  keyName,
  ...row
}: Row) {
  const author =
    authorType === null
      ? null
      : presentActor({
          actorType: authorType,
          actorId: authorId,
          actorEmail: authorEmail,
          keyId: null,
          keyName,
        });
  return { ...row, version: number, author };
}
