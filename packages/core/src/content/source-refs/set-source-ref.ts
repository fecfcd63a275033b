import { segmentExists, segmentNotFound } from '../../audience/segments/index.ts';
import { command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { templateNotFound } from '../templates/index.ts';
import { setSourceRefInput, sourceRefLimit, sourceRefOutput } from './source-refs.schema.ts';
import {
  countSourceRefs,
  lockSourceRefs,
  putSourceRef,
  sourceRefExists,
  templateExists,
} from './source-refs.store.ts';

export const setSourceRef = command({
  name: 'sourceRefs.set',
  summary:
    'States which template or segment an id of another service means, in place of an earlier statement',
  permission: 'data:write',
  risk: 'large',
  errors: ['TEMPLATE_NOT_FOUND', 'SEGMENT_NOT_FOUND', 'CONFLICT'],
  input: setSourceRefInput,
  output: sourceRefOutput,
  async handler(ctx, { id, ...key }) {
    const projectId = projectIdOf(ctx);
    await lockSourceRefs(ctx.db, projectId);
    if (key.kind === 'TEMPLATE' && !(await templateExists(ctx.db, projectId, id))) throw templateNotFound();
    if (key.kind === 'SEGMENT' && !(await segmentExists(ctx.db, projectId, id))) throw segmentNotFound();
    const isNew = !(await sourceRefExists(ctx.db, projectId, key));
    if (isNew && (await countSourceRefs(ctx.db, { projectId })) >= sourceRefLimit)
      throw conflict(`A project has at most ${sourceRefLimit.toLocaleString('en')} source references`, {
        suggestion: suggestions.CONFLICT.mostSourceRefs,
      });
    const row = await putSourceRef(ctx.db, projectId, key, id);
    if (!row) throw new Error('a source reference was not stored');
    ctx.audit({ targetType: key.kind === 'TEMPLATE' ? 'template' : 'segment', targetId: id });
    return row;
  },
});
