import type { PoolClient } from 'pg';
import { constant, Prisma, prepared } from '../../base/db/index.ts';
import { simulatorSql } from '../../base/kernel/simulator.rules.ts';

/** An address and its project as expressions of SQL; the address is in lower case. */
interface Address {
  project: Prisma.Sql;
  address: Prisma.Sql;
}

/** SQL: whether a project is a test project, whose email never leaves. */
export const isTestProject = (project: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT FROM "Project" p WHERE p."id" = ${project} AND p."environment" = 'TEST')`;

const ownerOf = (project: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(SELECT o.* FROM "Member" m JOIN "User" o ON o."id" = m."userId" WHERE m."projectId" = ${project} AND m."role" = 'OWNER')`;

/** With a proven owner: an active member of the project with this address, which is proven. */
const isProvenMember = ({ project, address }: Address): Prisma.Sql => Prisma.sql`
  EXISTS (SELECT FROM "User" u JOIN "Member" m ON m."userId" = u."id"
    WHERE u."email" = ${address} AND m."projectId" = ${project} AND u."emailVerified")`;

/**
 * SQL: for an email from the sandbox sender, whether it must not go to its address (behaviour B11.4), `1` or `0`; or, where it goes to an
 * owner who has not proven that address, the owner's id and language, separated by a blank.
 */
export const sandboxState = (to: Address): Prisma.Sql => Prisma.sql`
  CASE WHEN ${to.address} LIKE ${constant(simulatorSql.any)} OR ${isTestProject(to.project)} THEN '0' ELSE coalesce((SELECT CASE WHEN owner."emailVerified" THEN (NOT ${isProvenMember(to)})::int::text
      WHEN owner."email" = ${to.address} AND owner."disownedAt" IS NULL THEN owner."id" || ' ' || owner."language" ELSE '1' END
    FROM ${ownerOf(to.project)} owner), '1') END`;

/**
 * SQL: whether email of the sandbox sender must not go to an address. It goes to active members of the project whose address is proven;
 * while that of the owner is not, only to the owner. Addresses of the simulator, and any in a test project, are open to it: what never leaves needs
 * no proof.
 */
export const isOutsideSandbox = (to: Address): Prisma.Sql => Prisma.sql`(${sandboxState(to)} = '1')`;

/** SQL: the addresses of a project that email of the sandbox sender may go to, as of `isOutsideSandbox`. */
export const sandboxAddresses = (projectId: string): Prisma.Sql => Prisma.sql`
  SELECT u."email" FROM "User" u JOIN "Member" m ON m."userId" = u."id"
  CROSS JOIN LATERAL ${ownerOf(constant('m."projectId"'))} owner
  WHERE m."projectId" = ${projectId}::uuid AND CASE WHEN owner."emailVerified" THEN u."emailVerified"
    ELSE u."id" = owner."id" AND u."disownedAt" IS NULL END`;

const take = prepared<{ owners: string[]; emails: string[]; slots: number }>(
  'take-sandbox-slots',
  ({ owners, emails, slots }) =>
    Prisma.sql`SELECT "id" FROM take_sandbox_slots(${owners}::uuid[], ${emails}::uuid[], ${slots}::int) AS "id"`,
);

/**
 * Gives emails to unproven owners one of the slots of their day.
 *
 * @param slots how many an owner has a day
 * @returns the ids of those that have one
 */
export async function takeSandboxSlots(
  client: PoolClient,
  mails: readonly { id: string; ownerId: string }[],
  slots: number,
): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    take({ owners: mails.map(({ ownerId }) => ownerId), emails: mails.map(({ id }) => id), slots }),
  );
  return new Set(rows.map(({ id }) => id));
}
