import { AppError, command, projectIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { exportRecordsJob } from '../exports/index.ts';
import { findWhom } from './find-whom.ts';
import { isStored } from './person.store.ts';
import { insertPersonExport } from './person-exports.store.ts';
import { presentPersonExport } from './present-person-export.ts';
import { exportPersonInput, personExportJob } from './privacy.schema.ts';
import { spellingsOf } from './spellings.rules.ts';

export const exportPerson = command({
  name: 'privacy.export',
  summary: 'Writes everything that is stored about one person to a JSON document in the background',
  permission: 'privacy:manage',
  risk: 'closed',
  allowDisabled: true,
  errors: ['CONTACT_NOT_FOUND'],
  input: exportPersonInput,
  output: personExportJob,
  prepare: (ctx) => assertStorage(ctx.services, projectIdOf(ctx)),
  async handler(ctx, whom) {
    const { db, services } = ctx;
    const projectId = projectIdOf(ctx);
    const { address, person } = await findWhom(ctx, whom);
    const hash = services.secrets.addressHash(projectId, address);
    const { addresses } = spellingsOf(address);
    if (!person && !(await isStored(db, { projectId, hash, addresses })))
      throw new AppError('CONTACT_NOT_FOUND', 'Nothing is stored about this address');
    const input = { address, contactId: person?.id ?? null };
    const job = await insertPersonExport(db, { id: newId(), projectId, input });
    ctx.audit({ targetType: 'job', targetId: job.id });
    ctx.afterCommit(() => services.workflows.signalDebounced(exportRecordsJob, { jobId: job.id }));
    return presentPersonExport(services, job);
  },
});
