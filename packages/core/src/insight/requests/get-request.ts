import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { presentEntry } from './present-entry.ts';
import { getRequestInput, requestEntry } from './requests.schema.ts';
import { findEntry } from './requests.store.ts';

export const getRequest = query({
  name: 'requests.get',
  summary: 'Returns one request of the log',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: getRequestInput,
  output: requestEntry,
  async handler(ctx, { id }) {
    const entry = await findEntry(ctx.db, projectIdOf(ctx), id);
    if (!entry) throw new AppError('RESOURCE_NOT_FOUND', 'Request not found');
    return presentEntry(entry);
  },
});
