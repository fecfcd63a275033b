import { cursorsOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { domainNotFound } from './domain-not-found.ts';
import { domainNoteList, listNotesInput } from './domain-notes.schema.ts';
import { countNotes, findNotes } from './domain-notes.store.ts';
import { findDomain } from './domains.store.ts';

export const listDomainNotes = query({
  name: 'domains.listNotes',
  summary: 'Lists letters to the postmaster, abuse and feedback addresses of a domain, newest first',
  permission: 'domains:read',
  errors: ['DOMAIN_NOT_FOUND', 'BAD_REQUEST'],
  input: listNotesInput,
  output: domainNoteList,
  async handler(ctx, input) {
    const domain = await findDomain(ctx.db, projectIdOf(ctx), input.id);
    if (!domain) throw domainNotFound();
    const cursors = cursorsOf('domains.listNotes', input);
    const after = cursors.after();
    const [rows, total] = await Promise.all([
      findNotes(ctx.db, domain.id, after, input.limit + 1),
      after ? 0 : countNotes(ctx.db, domain.id),
    ]);
    return cursors.page(rows, ({ at }) => at, total);
  },
});
