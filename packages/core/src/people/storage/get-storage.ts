import { projectIdOf, query } from '../../base/kernel/index.ts';
import { accessDenied } from '../projects/index.ts';
import { ownerStorageOf } from './limits.ts';
import { storageInput, storageKinds, storageOutput } from './storage.schema.ts';
import { storageByKind, storageOfOwner } from './storage.store.ts';

export const getStorage = query({
  name: 'projects.getStorage',
  summary: 'Returns the bytes that a project has stored, and those that count for its owner',
  permission: 'project:read',
  input: storageInput,
  output: storageOutput,
  async handler(ctx, { id }) {
    if (id !== projectIdOf(ctx)) throw accessDenied();
    const { ownerId, limitBytes } = await ownerStorageOf(ctx.services, id);
    const [ofProject, ofOwner] = await Promise.all([
      storageByKind(ctx.db, id),
      storageOfOwner(ctx.services.database, ownerId),
    ]);
    const bytesOf = (kind: (typeof storageKinds)[number]): number => Math.max(0, ofProject.get(kind) ?? 0);
    const [images, attachments, contents, templates, imports, exports] = [
      bytesOf('images'),
      bytesOf('attachments'),
      bytesOf('contents'),
      bytesOf('templates'),
      bytesOf('imports'),
      bytesOf('exports'),
    ];
    return {
      usedBytes: storageKinds.reduce((sum, kind) => sum + bytesOf(kind), 0),
      owner: { usedBytes: Math.max(0, ofOwner), limitBytes },
      byKind: { images, attachments, contents, templates, imports, exports },
    };
  },
});
