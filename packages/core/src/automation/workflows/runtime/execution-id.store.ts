import { Prisma } from '../../../base/db/index.ts';

/**
 * The id of an execution by what it follows from, for rows `k` with a `contactId`: a uuid of version 7 (RFC 9562) whose random part is derived
 * from seed, time and contact, so that what is repeated enters no contact twice.
 *
 * @param time milliseconds since 1970
 */
export function executionIdSql(seed: string, time: number): Prisma.Sql {
  const at = Buffer.alloc(6);
  at.writeUIntBE(time, 0, 6);
  const seeded = Prisma.sql`overlay(decode(md5(${`${seed}:${time}:`} || k."contactId"::text), 'hex') placing decode(${at.toString('hex')}, 'hex') FROM 1 FOR 6)`;
  const versioned = Prisma.sql`set_byte(${seeded}, 6, (get_byte(${seeded}, 6) & 15) | 112)`;
  return Prisma.sql`encode(set_byte(${versioned}, 8, (get_byte(${versioned}, 8) & 63) | 128), 'hex')::uuid`;
}
