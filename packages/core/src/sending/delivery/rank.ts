import type { ClaimedEmail } from '../ledger/read.store.ts';

/** The order among the email of a project that is held and waits: like the priorities of its batches, campaigns apart. */
export const rankOf = ({ sourceType }: Pick<ClaimedEmail, 'sourceType'>): number => {
  switch (sourceType) {
    case 'SYSTEM':
      return 0;
    case 'WORKFLOW':
      return 2;
    default:
      return 1;
  }
};
