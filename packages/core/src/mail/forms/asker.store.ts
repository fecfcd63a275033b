import type { Db, Prisma } from '../../base/db/index.ts';

/** A project that may ask for confirmations. */
export type AskingProject = Prisma.ProjectGetPayload<{
  select: { name: true; brand: true; consent: true; language: true };
}>;

/** @returns null when it is gone or disabled */
export const findAskingProject = (db: Db, projectId: string): Promise<AskingProject | null> =>
  db.project.findFirst({
    where: { id: projectId, deletedAt: null, disabled: false },
    select: { name: true, brand: true, consent: true, language: true },
  });

export async function findNameOfProject(db: Db, projectId: string): Promise<string> {
  const { name } = await db.project.findUniqueOrThrow({ where: { id: projectId }, select: { name: true } });
  return name;
}
