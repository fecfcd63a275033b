import type { z } from 'zod';
import { cursorsOf, projectIdOf, query } from '../../../base/kernel/index.ts';
import { presentActor } from '../../../people/audit/index.ts';
import { importList, type importRecord, listImportsInput } from './imports.schema.ts';
import { countImports, findImports, type ImportRow } from './imports.store.ts';

export const listContactImports = query({
  name: 'contacts.listImports',
  summary: 'Lists the imports of the last 7 days, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listImportsInput,
  output: importList,
  async handler(ctx, input) {
    const projectId = projectIdOf(ctx);
    const cursors = cursorsOf('contacts.listImports', input);
    const after = cursors.after();
    const [rows, total] = await Promise.all([
      findImports(ctx.db, projectId, after, input.limit + 1),
      after ? 0 : countImports(ctx.db, projectId),
    ]);
    const imports = rows.map(async (row) => ({
      ...presentImport(row),
      waitsFor: await ctx.services.engine.holdUpOf(row.state === 'waiting'),
    }));
    return cursors.page(await Promise.all(imports), ({ createdAt }) => createdAt, total);
  },
});

function presentImport({
  counts: { totalRows, createdCount = 0, updatedCount = 0, failureCount = 0, unreadCount = 0 },
  actorType,
  actorId,
  actorEmail,
  keyName,
  ...row
}: ImportRow): Omit<z.input<typeof importRecord>, 'waitsFor'> & Pick<ImportRow, 'createdAt'> {
  const author =
    actorType === null ? null : presentActor({ actorType, actorId, actorEmail, keyId: null, keyName });
  return {
    ...row,
    author,
    totalRows: totalRows ?? null,
    createdCount,
    updatedCount,
    failureCount,
    unreadCount,
  };
}
