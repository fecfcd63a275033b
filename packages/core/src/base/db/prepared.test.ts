import { expect, it } from 'vitest';
import { Prisma } from './generated/client.ts';
import { type Bindable, constant, prepared } from './prepared.ts';

const ofProject = (project: Bindable<string>) => Prisma.sql`"projectId" = ${project}::uuid`;

it('numbers the parameters of a statement and of its fragments, each once', () => {
  const find = prepared<{ project: string; email: string }>(
    'find',
    ({ project, email }) =>
      Prisma.sql`SELECT ${project} FROM "Contact" WHERE "email" = ${email} AND ${ofProject(project)}`,
  );
  expect(find({ email: 'a@b.test', project: 'p1' })).toEqual({
    name: 'find',
    text: 'SELECT $1 FROM "Contact" WHERE "email" = $2 AND "projectId" = $1::uuid',
    values: ['p1', 'a@b.test'],
  });
  expect(find({ email: 'c@d.test', project: 'p2' }).values).toEqual(['p2', 'c@d.test']);
});

it('binds values of the code too, and writes only constants into the text', () => {
  const pick = prepared<{ limit: number }>(
    'pick',
    ({ limit }) =>
      Prisma.sql`SELECT ${'x'} WHERE "priority" = ${constant(3)} AND ${'x'} <> '' LIMIT ${limit}`,
  );
  expect(pick({ limit: 5 })).toEqual({
    name: 'pick',
    text: `SELECT $1 WHERE "priority" = 3 AND $2 <> '' LIMIT $3`,
    values: ['x', 'x', 5],
  });
});

it('takes text that looks like SQL as a value', () => {
  const find = prepared<{ name: string }>('by-name', ({ name }) => Prisma.sql`SELECT ${name}`);
  expect(find({ name: `'; DROP TABLE "Contact"; --` })).toEqual({
    name: 'by-name',
    text: 'SELECT $1',
    values: [`'; DROP TABLE "Contact"; --`],
  });
});
