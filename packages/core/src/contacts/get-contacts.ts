import { z } from 'zod';
import { idList, projectIdOf, query } from '../kernel/index.ts';
import { contactShape } from './contacts.schema.ts';
import { findContacts } from './contacts.store.ts';

/** One look-up for the contacts that many records name; doors batch their relations with it. */
export const getContacts = query({
  name: 'contacts.getMany',
  summary: 'Gives contacts by their ids',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(contactShape),
  handler: (ctx, { ids }) => findContacts(ctx.db, projectIdOf(ctx), ids),
});
