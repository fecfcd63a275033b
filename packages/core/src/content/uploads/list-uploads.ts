import { cursorsOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { listUploadsInput, uploadList } from './uploads.schema.ts';
import { countUploads, findUploads } from './uploads.store.ts';

export const listUploads = query({
  name: 'uploads.list',
  summary: 'Lists the uploaded images, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listUploadsInput,
  output: uploadList,
  async handler(ctx, input) {
    const { files } = ctx.services;
    const cursors = cursorsOf('uploads.list', input);
    const after = cursors.after();
    const search = { projectId: projectIdOf(ctx), search: input.search };
    const [rows, total] = await Promise.all([
      findUploads(ctx.db, search, after, input.limit + 1),
      after ? 0 : countUploads(ctx.db, search),
    ]);
    const images = rows.map((row) => ({ ...row, url: files.urlOf(row.key) }));
    return cursors.page(images, ({ createdAt }) => createdAt, total);
  },
});
