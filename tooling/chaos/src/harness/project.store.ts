import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createSecrets, newId, sha256 } from '@postrider/core/kernel';
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
export async function createProject(
  db: Pool,
  { appSecret, signed, domain = 'sender.test' }: NewProject,
): Promise<TestProject> {
  const secrets = createSecrets(appSecret);
  const id = newId();
  const publicKey = `pk_${randomBytes(32).toString('hex')}`;
  const secretKey = `sk_${randomBytes(32).toString('hex')}`;
  await db.query(
    `INSERT INTO "Project" ("id", "name", "publicKeyHash", "publicKeyCipher", "secretKeyHash", "secretKeyCipher")
     VALUES ($1, 'Chaos', $2, $3, $4, $5)`,
    [id, sha256(publicKey), secrets.encrypt(publicKey), sha256(secretKey), secrets.encrypt(secretKey)],
  );
  const keyId = newId();
  const key = signed ? signingKey() : { algorithm: 'none', publicKey: '', privateKey: '' };
  await db.query(
    `INSERT INTO "DomainKey" ("id", "domain", "selector", "publicKey", "algorithm", "privateCipher") VALUES ($1, $2, 'test', $3, $4, $5)`,
    [keyId, domain, key.publicKey, key.algorithm, secrets.encrypt(key.privateKey)],
  );
  await db.query(
    `INSERT INTO "Domain" ("id", "projectId", "domain", "keyId", "status", "verifiedAt", "nextCheckAt")
     VALUES ($1, $2, $3, $4, 'VERIFIED', now(), NULL)`,
    [newId(), id, domain, keyId],
  );
  return { id, publicKey, secretKey, from: `hello@${domain}` };
}

/** @param perSecond null: the rate of the installation */
export async function limitSendRate(db: Pool, projectId: string, perSecond: number | null): Promise<void> {
  await db.query(`UPDATE "Project" SET "sendRate" = $2 WHERE "id" = $1`, [projectId, perSecond]);
}

/** Inserts the contacts `p1@people.test`, `p2@people.test`, … with the data that the templates of these runs use. */
export async function insertContacts(db: Pool, projectId: string, count: number): Promise<void> {
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
