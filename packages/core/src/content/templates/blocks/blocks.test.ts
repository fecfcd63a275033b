import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { createBlock } from './create-block.ts';
import { deleteBlock } from './delete-block.ts';
import { getBlock } from './get-block.ts';
import { listBlocks } from './list-blocks.ts';
import { updateBlock } from './update-block.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
});
beforeEach(async () => {
  project = await createTestProject(test.services);
});
afterAll(() => test.close());

const hours = { name: 'Opening hours', body: '<p>We are open, {{name ?? friend}}.</p>' };
const create = (block: object = hours) => createBlock.runRaw(project.ctx, block);

describe('a saved block', () => {
  it('can be read, changed and deleted', async () => {
    const block = await create();
    expect(block).toMatchObject(hours);
    expect(await getBlock.run(project.ctx, { id: block.id })).toEqual(block);
    expect(await updateBlock.run(project.ctx, { id: block.id, name: 'Hours' })).toEqual({
      ...block,
      name: 'Hours',
      updatedAt: expect.any(String),
    });
    await deleteBlock.run(project.ctx, { id: block.id });
    await expect(getBlock.run(project.ctx, { id: block.id })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  });

  it('keeps the design that its body was made from, until the body changes without one', async () => {
    const design = { type: 'doc', content: [] };
    const { id } = await create({ ...hours, design });
    expect(await updateBlock.run(project.ctx, { id, name: 'Hours' })).toMatchObject({ design });
    expect(await getBlock.run(project.ctx, { id })).toMatchObject({ design });
    const [listed] = (await listBlocks.run(project.ctx, {})).data;
    expect(listed).not.toHaveProperty('design');
    expect(await updateBlock.run(project.ctx, { id, body: '<p>Closed</p>' })).toMatchObject({ design: null });
  });

  it('is found by a part of its name, newest first, page by page', async () => {
    for (const name of ['Header', 'Sub-header', 'Footer']) await create({ ...hours, name });
    const first = await listBlocks.run(project.ctx, { search: 'HEADER', limit: 1 });
    expect(first).toMatchObject({ data: [{ name: 'Sub-header' }], hasMore: true, total: 2 });
    const next = await listBlocks.run(project.ctx, {
      search: 'HEADER',
      limit: 1,
      cursor: first.cursor ?? '',
    });
    expect(next).toMatchObject({ data: [{ name: 'Header' }], hasMore: false });
  });

  it.each([
    [{ name: ' ' }, 'name', 'required'],
    [{ name: 'x'.repeat(101) }, 'name', 'too_big'],
    [{ body: '' }, 'body', 'required'],
    [{ body: 'x'.repeat(100_001) }, 'body', 'too_big'],
    [{ body: '{% if name %}' }, 'body', 'template_syntax'],
  ])('is refused with %j, and nothing is stored', async (part, field, code) => {
    await expect(create({ ...hours, ...part })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field, code }],
    });
    expect((await listBlocks.run(project.ctx, {})).total).toBe(0);
  });

  it('404: of another project, which keeps it', async () => {
    const { id } = await create();
    const other = await createTestProject(test.services);
    for (const [ctx, block] of [
      [other.ctx, id],
      [project.ctx, newId()],
    ] as const) {
      for (const attempt of [
        () => getBlock.run(ctx, { id: block }),
        () => updateBlock.run(ctx, { id: block, name: 'x' }),
        () => deleteBlock.run(ctx, { id: block }),
      ])
        await expect(attempt()).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    }
    expect((await listBlocks.run(other.ctx, {})).data).toEqual([]);
    expect(await getBlock.run(project.ctx, { id })).toMatchObject(hours);
  });
});
