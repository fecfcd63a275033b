import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { createTemplate, deleteTemplate, readTemplate, updateTemplate } from './index.ts';

let test: TestServices;
let project: TestProject;
let other: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  other = await createTestProject(test.services);
  for (const { id } of [project, other]) await verifiedDomain(test.services, id, 'shop.test');
});
afterAll(() => test.close());

const create = (alias: string | null, subject: string, of = project) =>
  createTemplate.run(of.ctx, {
    name: 'T',
    subject,
    body: `<p>${subject}</p>`,
    from: 'team@shop.test',
    type: 'TRANSACTIONAL',
    alias,
  });

const subjectOf = async (reference: string, of = project): Promise<string | undefined> =>
  (await readTemplate(test.services, { projectId: of.id, reference }))?.subject;

describe('a template that a send reads', () => {
  it('is the one that was stored last, by id and by alias, however often it was read before', async () => {
    const { id } = await create('often-read', 'first');
    for (const subject of ['second', 'third', 'fourth']) {
      for (const reference of [id, 'often-read']) await subjectOf(reference);
      await updateTemplate.run(project.ctx, { id, subject });
      expect(await Promise.all([id, 'often-read', id].map((one) => subjectOf(one)))).toEqual([
        subject,
        subject,
        subject,
      ]);
    }
  });

  it('is another one after its alias moved, and none after it was deleted', async () => {
    const one = await create('moves', 'one');
    expect(await subjectOf('moves')).toBe('one');
    await updateTemplate.run(project.ctx, { id: one.id, alias: null });
    expect(await subjectOf('moves')).toBeUndefined();
    const two = await create('moves', 'two');
    expect(await subjectOf('moves')).toBe('two');
    expect(await subjectOf(one.id)).toBe('one');
    await deleteTemplate.run(project.ctx, { id: two.id });
    expect(await subjectOf('moves')).toBeUndefined();
    expect(await subjectOf(two.id)).toBeUndefined();
  });

  it('belongs to the project, also beside requests of another one for the same name', async () => {
    const mine = await create('shared-name', 'mine');
    await create('shared-name', 'theirs', other);
    const answers = await Promise.all([
      subjectOf('shared-name'),
      subjectOf('shared-name', other),
      subjectOf(mine.id, other),
      subjectOf(mine.id),
      subjectOf('unknown'),
    ]);
    expect(answers).toEqual(['mine', 'theirs', undefined, 'mine', undefined]);
  });
});
