import type { Db } from '../../base/db/index.ts';
import { emailsOfUsers } from './audit.store.ts';
import type { authorOf } from './author-of.ts';
import { presentActor } from './present-actor.ts';

type Author = ReturnType<typeof authorOf>;

/** The authors of records, in the form of the API. */
export async function presentAuthors(db: Db, authors: readonly Author[]) {
  const ids = authors.flatMap(({ actorType, actorId }) =>
    actorType === 'user' && actorId !== null ? actorId : [],
  );
  const emails = await emailsOfUsers(db, [...new Set(ids)]);
  return authors.map(({ actorType, actorId, keyName }) =>
    presentActor({
      actorType,
      actorId,
      actorEmail: actorId === null ? null : (emails.get(actorId) ?? null),
      keyId: null,
      keyName,
    }),
  );
}

export async function presentAuthor(db: Db, author: Author) {
  const [presented] = await presentAuthors(db, [author]);
  if (!presented) throw new Error('an author was not presented');
  return presented;
}
