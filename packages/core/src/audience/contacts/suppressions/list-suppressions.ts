import {
  badRequest,
  cursorsOf,
  instant,
  type Keyset,
  projectIdOf,
  query,
} from '../../../base/kernel/index.ts';
import { listSuppressionsInput, suppressionList } from './suppressions.schema.ts';
import { countSuppressions, findSuppressions, type SuppressionRow } from './suppressions.store.ts';

/** Suppressions are identified by address. Cursors require an id beside the sort value; this is a placeholder. */
const noId = '00000000-0000-0000-0000-000000000000';

/** The sort value of a cursor: creation time and address of the last row. */
export const suppressionKey = ({ createdAt, email }: { createdAt: Date | string; email: string }): string =>
  `${typeof createdAt === 'string' ? createdAt : createdAt.toISOString()} ${email}`;

function readKey({ value }: Keyset): { createdAt: Date; email: string } {
  const [date = '', ...rest] = value.split(' ');
  const { data: createdAt } = instant.safeParse(date);
  if (!createdAt) throw badRequest('Invalid cursor');
  return { createdAt, email: rest.join(' ') };
}

export const listSuppressions = query({
  name: 'contacts.listSuppressions',
  summary: 'Lists the suppressed addresses, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listSuppressionsInput,
  output: suppressionList,
  async handler(ctx, input) {
    const { limit, search, reason, class: diagnosed } = input;
    const cursors = cursorsOf('contacts.listSuppressions', input);
    const keyset = cursors.after('text');
    const filter = { projectId: projectIdOf(ctx), search, reason, class: diagnosed };
    const after = keyset && readKey(keyset);
    const [rows, total] = await Promise.all([
      findSuppressions(ctx.db, filter, after, limit + 1),
      after ? 0 : countSuppressions(ctx.db, filter),
    ]);
    const keyed = rows.map((row): SuppressionRow & { id: string } => ({ ...row, id: noId }));
    return cursors.page(keyed, suppressionKey, total);
  },
});
