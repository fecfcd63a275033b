import { query } from '../../base/kernel/index.ts';
import { decodeAccountLink } from '../message/index.ts';
import { findUnproven } from './accounts.store.ts';
import { accountLink, claimedAccount } from './tracking.schema.ts';

export const getClaimedAccount = query({
  name: 'tracking.getClaimedAccount',
  summary:
    'The account that was made with the address of the reader; null for an invalid link, and once the address is proven',
  permission: 'public',
  input: accountLink,
  output: claimedAccount.nullable(),
  async handler({ services, db }, { token }) {
    const id = decodeAccountLink(services.secrets, token);
    return id === null ? null : findUnproven(db, id);
  },
});
