import type { StoredPasskey } from './passkeys.store.ts';

export const presentPasskey = ({ id, name, createdAt, lastUsedAt }: StoredPasskey) => ({
  id,
  name,
  addedAt: createdAt,
  lastUsedAt,
});
