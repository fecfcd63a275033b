import { createHash } from 'node:crypto';
import type { Db, EmailClass, Prisma } from '../db/index.ts';
import { newId } from '../kernel/index.ts';

export type TemplateRow = Prisma.TemplateGetPayload<object>;

export interface NewTemplate {
  projectId: string;
  name: string;
  description?: string | undefined;
  subject: string;
  body: string;
  from: string;
  fromName?: string | undefined;
  replyTo?: string | undefined;
  type: EmailClass;
}

/** Stores the template together with its first version. */
export async function insertTemplate(db: Db, template: NewTemplate): Promise<TemplateRow> {
  const { projectId, subject, body } = template;
  const version = versionOf(subject, body);
  const row = await db.template.create({ data: { ...template, id: newId(), version } });
  await db.templateVersion.create({ data: { templateId: row.id, version, projectId, subject, body } });
  return row;
}

/** Names what a template says: mail that was rendered from the same version said the same. */
const versionOf = (subject: string, body: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    createHash('sha256')
      .update(JSON.stringify([subject, body]))
      .digest(),
  );

export const findTemplate = (db: Db, projectId: string, id: string): Promise<TemplateRow | null> =>
  db.template.findFirst({ where: { id, projectId } });

export const findTemplates = (db: Db, projectId: string, ids: string[]): Promise<TemplateRow[]> =>
  db.template.findMany({ where: { id: { in: ids }, projectId } });

export interface TemplateSearch {
  page: number;
  pageSize: number;
  type?: EmailClass | undefined;
  search?: string | undefined;
  sort: 'name' | 'createdAt' | 'updatedAt';
  dir: 'asc' | 'desc';
}

export async function searchTemplates(
  db: Db,
  projectId: string,
  { page, pageSize, type, search, sort, dir }: TemplateSearch,
): Promise<{ rows: TemplateRow[]; total: number }> {
  const where: Prisma.TemplateWhereInput = { projectId };
  if (type) where.type = type;
  if (search)
    where.OR = [{ name: contains(search) }, { description: contains(search) }, { subject: contains(search) }];
  const [rows, total] = await Promise.all([
    db.template.findMany({
      where,
      orderBy: [{ [sort]: dir }, { id: dir }],
      skip: (page - 1) * pageSize,
      take: pageSize,
    }),
    db.template.count({ where }),
  ]);
  return { rows, total };
}

/** Prisma hands the text to LIKE as it is, where `%`, `_` and `\` would match more than themselves. */
const contains = (text: string): Prisma.StringFilter => ({
  contains: text.replace(/[\\%_]/g, '\\$&'),
  mode: 'insensitive',
});
