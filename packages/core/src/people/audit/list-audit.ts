import { cursorsOf, projectOf, query } from '../../base/kernel/index.ts';
import { periodOf } from '../../base/lib/index.ts';
import { auditList, auditListInput } from './audit.schema.ts';
import { countAuditRows, findAuditRows, type NamedAuditRow } from './audit.store.ts';
import { presentActor } from './present-actor.ts';

export const listAudit = query({
  name: 'audit.list',
  summary: 'Lists who changed what in the project, newest first',
  permission: 'audit:read',
  errors: ['BAD_REQUEST'],
  input: auditListInput,
  output: auditList,
  async handler(ctx, input) {
    const { limit, cursor: _cursor, ...filter } = input;
    const cursors = cursorsOf('audit.list', input);
    const after = cursors.after();
    const { id: projectId, timeZone } = projectOf(ctx);
    const search = { ...filter, ...periodOf(filter, timeZone, 'excluded'), projectId };
    const [rows, total] = await Promise.all([
      findAuditRows(ctx.db, search, after, limit + 1),
      after ? 0 : countAuditRows(ctx.db, search),
    ]);
    return cursors.page(rows.map(presentEntry), (entry) => entry.createdAt, total);
  },
});

const presentEntry = ({ actorType, actorId, actorEmail, keyId, keyName, ...entry }: NamedAuditRow) => ({
  ...entry,
  actor: presentActor({ actorType, actorId, actorEmail, keyId, keyName }),
});
