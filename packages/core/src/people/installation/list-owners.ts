import { query } from '../../base/kernel/index.ts';
import { ownersInput, ownersOutput } from './installation.schema.ts';
import { findOwnersBy } from './owners.store.ts';

export const listOwners = query({
  name: 'installation.listOwners',
  summary: 'Lists the owners whose projects cost others most, by one of the figures',
  permission: 'internal',
  internal: true,
  input: ownersInput,
  output: ownersOutput,
  handler: ({ db }, { by }) => findOwnersBy(db, by),
});
