import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { composeServices } from '../adapters/compose.ts';
import {
  type Context,
  type CoreConfig,
  type ProjectState,
  type Role,
  readConfig,
  type Services,
  sha256,
} from '../base/kernel/index.ts';
import { newId } from '../base/lib/index.ts';
import { createTestDatabaseOn, type TestDatabase } from './test-database.ts';

export interface TestServices {
  services: Services;
  databaseUrl: string;
  close(): Promise<void>;
}

/**
 * Real services on a separate database. Temporal is not started: signals may be lost, and workflow tests start their
 * own server.
 */
export async function createTestServices({
  env = {},
  config: override = {},
  postgres = 'embedded',
}: {
  env?: Record<string, string>;
  /** what the environment cannot say, such as the address of a provider that runs in the test */
  config?: Partial<CoreConfig>;
  /** a version, or a database that the test has created */
  postgres?: 'embedded' | '15' | TestDatabase;
} = {}): Promise<TestServices> {
  const database = typeof postgres === 'string' ? await createTestDatabaseOn(postgres) : postgres;
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    APP_SECRET: randomBytes(24).toString('hex'),
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    DNS_SERVERS: '127.0.0.1:1',
    ...env,
  });
  const services = composeServices({ ...config, ...override }, pino({ level: 'silent' }), {
    connections: 10,
    // Without a server, repetitions would only make each test wait.
    repeatTemporalCalls: env.TEMPORAL_ADDRESS !== undefined,
  });
  return {
    services,
    databaseUrl: database.url,
    async close() {
      await services.close();
      await database.drop();
    },
  };
}

export interface TestProject {
  id: string;
  project: ProjectState;
  publicKey: string;
  secretKey: string;
  ownerId: string;
  /** acts with the secret key */
  ctx: Context;
  publicCtx: Context;
  /** acts as a signed-in user with that role; OWNER is the project's owner */
  userCtx(role: Role): Promise<Context>;
}

/** A project with keys, an owner and contexts; rows are written directly, so that tests depend on no other area. */
export async function createTestProject(
  services: Services,
  { name = 'Test project', environment = 'LIVE' }: { name?: string; environment?: 'LIVE' | 'TEST' } = {},
): Promise<TestProject> {
  const { prisma } = services.database;
  const id = newId();
  const publicKey = `pk_${randomBytes(32).toString('hex')}`;
  const secretKey = `sk_${randomBytes(32).toString('hex')}`;
  const ownerId = await createTestUser(services);
  await prisma.project.create({
    data: {
      id,
      name,
      environment,
      publicKeyHash: bytes(sha256(publicKey)),
      publicKeyCipher: services.secrets.encrypt(publicKey, 'Project.publicKeyCipher', id),
      secretKeyHash: bytes(sha256(secretKey)),
      secretKeyCipher: services.secrets.encrypt(secretKey, 'Project.secretKeyCipher', id),
      webhookSecretCipher: services.secrets.encrypt(
        randomBytes(32).toString('hex'),
        'Project.webhookSecretCipher',
        id,
      ),
      members: { create: { userId: ownerId, role: 'OWNER' } },
    },
  });
  const project: ProjectState = {
    id,
    name,
    disabled: false,
    language: 'en',
    timeZone: 'UTC',
    tracking: 'ENABLED',
    definesFields: false,
  };
  const base = { services, project, db: prisma };
  return {
    id,
    project,
    publicKey,
    secretKey,
    ownerId,
    ctx: {
      ...base,
      actor: { type: 'key', key: 'secret', projectId: id },
      request: { id: newId(), ip: null },
    },
    publicCtx: {
      ...base,
      actor: { type: 'key', key: 'public', projectId: id },
      request: { id: newId(), ip: null },
    },
    async userCtx(role) {
      const userId = role === 'OWNER' ? ownerId : await createTestUser(services);
      if (role !== 'OWNER') await prisma.member.create({ data: { projectId: id, userId, role } });
      return {
        ...base,
        actor: { type: 'user', userId, emailVerified: true, projectId: id, role },
        request: { id: newId(), ip: null },
      };
    },
  };
}

export async function createTestUser(services: Services, email = `${newId()}@people.test`): Promise<string> {
  const id = newId();
  await services.database.prisma.user.create({ data: { id, email, emailVerified: true } });
  return id;
}

const bytes = (buffer: Buffer): Uint8Array<ArrayBuffer> => Uint8Array.from(buffer);

export { sendingCampaign, type WaitingEmail, waitingMail } from './mail.ts';
export { refuseWrites } from './refuse-writes.ts';
export { verifiedDomain } from './verified-domain.ts';
