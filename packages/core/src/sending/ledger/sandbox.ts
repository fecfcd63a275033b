import { constant, Prisma } from '../../db/index.ts';

/**
 * SQL: whether email of the sandbox sender must not go to an address (behaviour B11.4). It goes to active members of the project
 * whose address is proven, and to the address that the owner signed up with.
 *
 * @param project a column of SQL
 * @param address a column of SQL, in lower case
 */
export const outsideSandboxText = (project: string, address: string): string =>
  `NOT EXISTS (SELECT FROM "User" u JOIN "Member" m ON m."userId" = u."id"
    WHERE u."email" = ${address} AND m."projectId" = ${project} AND (u."emailVerified" OR m."role" = 'OWNER'))`;

export const isOutsideSandbox = (project: string, address: string): Prisma.Sql =>
  constant(outsideSandboxText(project, address));

/** SQL: the addresses of a project that email of the sandbox sender may go to, as of `isOutsideSandbox`. */
export const sandboxAddresses = (projectId: string): Prisma.Sql => Prisma.sql`
  SELECT u."email" FROM "User" u JOIN "Member" m ON m."userId" = u."id"
  WHERE m."projectId" = ${projectId}::uuid AND (u."emailVerified" OR m."role" = 'OWNER')`;
