import type { Actor } from '../../base/kernel/index.ts';

/** Who does something, as the columns of a record store it; `presentActor` reads them. */
export function authorOf(actor: Actor): {
  actorType: string;
  actorId: string | null;
  keyName: string | null;
} {
  const named = actor.type === 'key' ? actor.named : undefined;
  return {
    actorType: actor.type,
    actorId: actor.type === 'user' ? actor.userId : (named?.id ?? null),
    keyName: named?.name ?? null,
  };
}
