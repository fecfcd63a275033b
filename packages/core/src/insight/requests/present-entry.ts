import type { FoundEntry } from './requests.store.ts';

export const presentEntry = ({
  projectId: _projectId,
  keyType,
  keyId,
  keyName,
  keyPrefix,
  ...entry
}: FoundEntry) => ({
  ...entry,
  credential: {
    type: keyType,
    id: keyId,
    label: keyName ?? (keyType === 'public' ? 'Public key' : 'Secret key'),
    prefix: keyPrefix,
  },
});
