import { z } from 'zod';
import { idList, projectIdOf, query } from '../../base/kernel/index.ts';
import { contactShape } from './contacts.schema.ts';
import { findContacts } from './contacts.store.ts';

/** Loads the contacts referenced by many records in one query; the doors' batch loaders use it. */
export const getContacts = query({
  name: 'contacts.getMany',
  summary: 'Returns contacts by their ids',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(contactShape),
  handler: (ctx, { ids }) => findContacts(ctx.db, projectIdOf(ctx), ids),
});
