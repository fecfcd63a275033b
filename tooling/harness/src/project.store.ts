import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createSecrets, sha256 } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import { allowFixtures } from '@postrider/core/testing/template-database.ts';
import type { Pool } from 'pg';

export interface TestProject {
  id: string;
  secretKey: string;
  /** for `/v1/track` */
  publicKey: string;
  /** an address of the project's verified domain */
  from: string;
}

export interface NewProject {
  /** the APP_SECRET of the processes, which encrypts the project's secrets */
  appSecret: string;
  /** whether the domain's messages are signed, with an RSA-2048 key */
  signed: boolean;
  domain?: string;
}

/**
 * Creates a project with keys and a verified domain. Inserted as rows, because there is no DNS to verify the domain
 * with; it is never checked again.
 */
export async function createProject(db: Pool, given: NewProject): Promise<TestProject> {
  const [project] = await insertProjects(db, [given.domain ?? 'sender.test'], given);
  if (!project) throw new Error('The project was not created.');
  return project;
}

/** The same for many projects, in a few statements; each has a domain of its own, numbered from `from`. */
export function createProjects(
  db: Pool,
  count: number,
  { from = 0, ...given }: Omit<NewProject, 'domain'> & { from?: number },
): Promise<TestProject[]> {
  const domains = Array.from({ length: count }, (_, index) => `sender${from + index}.test`);
  return insertProjects(db, domains, given);
}

async function insertProjects(
  db: Pool,
  domains: readonly string[],
  { appSecret, signed }: Omit<NewProject, 'domain'>,
): Promise<TestProject[]> {
  const secrets = createSecrets(appSecret);
  // One signing key for all: making one takes longer than everything else.
  const key = signed ? signingKey() : { algorithm: 'none', publicKey: '', privateKey: '' };
  const projects = domains.map((domain) => ({
    id: newId(),
    domain,
    keyId: newId(),
    publicKey: `pk_${randomBytes(32).toString('hex')}`,
    secretKey: `sk_${randomBytes(32).toString('hex')}`,
  }));
  const column = <Value>(of: (project: (typeof projects)[number]) => Value): Value[] => projects.map(of);
  await db.query(
    `INSERT INTO "Project" ("id", "name", "publicKeyHash", "publicKeyCipher", "secretKeyHash", "secretKeyCipher")
     SELECT "id", 'Chaos', "publicHash", "public", "secretHash", "secret"
     FROM unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[]) AS t("id", "publicHash", "public", "secretHash", "secret")`,
    [
      column(({ id }) => id),
      column(({ publicKey }) => sha256(publicKey)),
      column(({ publicKey, id }) => secrets.encrypt(publicKey, 'Project.publicKeyCipher', id)),
      column(({ secretKey }) => sha256(secretKey)),
      column(({ secretKey, id }) => secrets.encrypt(secretKey, 'Project.secretKeyCipher', id)),
    ],
  );
  await db.query(
    `INSERT INTO "DomainKey" ("id", "domain", "selector", "publicKey", "algorithm", "privateCipher")
     SELECT "id", "domain", 'test', $4, $5, "cipher" FROM unnest($1::uuid[], $2::text[], $3::text[]) AS t("id", "domain", "cipher")`,
    [
      column(({ keyId }) => keyId),
      domains,
      column(({ keyId }) => secrets.encrypt(key.privateKey, 'DomainKey.privateCipher', keyId)),
      key.publicKey,
      key.algorithm,
    ],
  );
  await db.query(
    `INSERT INTO "Domain" ("id", "projectId", "domain", "keyId", "status", "verifiedAt", "nextCheckAt")
     SELECT uuid7(), "projectId", "domain", "keyId", 'VERIFIED', now(), NULL
     FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS t("projectId", "domain", "keyId")`,
    [column(({ id }) => id), domains, column(({ keyId }) => keyId)],
  );
  return projects.map(({ id, publicKey, secretKey, domain }) => ({
    id,
    publicKey,
    secretKey,
    from: `hello@${domain}`,
  }));
}

/** @param perSecond null: the rate of the installation */
export async function limitSendRate(db: Pool, projectId: string, perSecond: number | null): Promise<void> {
  await db.query(`UPDATE "Project" SET "sendRate" = $2 WHERE "id" = $1`, [projectId, perSecond]);
}

/** Inserts the contacts `p1@people.test`, `p2@people.test`, … with the data that the templates of these runs use. */
export async function insertContacts(db: Pool, projectId: string, count: number): Promise<void> {
  await db.query(allowFixtures);
  await db.query(
    `INSERT INTO "Contact" ("id", "projectId", "email", "data")
     SELECT uuid7(), $1, 'p' || n || '@people.test', jsonb_build_object('name', 'Person ' || n, 'plan', 'pro')
     FROM generate_series(1, $2::int) n`,
    [projectId, count],
  );
  await db.query('ANALYZE "Contact"');
}

function signingKey(): { algorithm: string; publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { algorithm: 'rsa-sha256', publicKey: publicKey.toString('base64'), privateKey };
}
