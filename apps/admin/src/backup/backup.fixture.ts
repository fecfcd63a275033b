import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoreConfig } from '@postrider/core/base/kernel';
import { createTestServices, type TestServices } from '@postrider/core/testing/index.ts';
import { createDatabaseOnOwnServer, type OwnServerDatabase } from '@postrider/core/testing/test-database.ts';
import { hasPostgres15, POSTGRES_15 } from '@postrider/local/postgres';
import { runAdmin } from '../run-admin.ts';

/**
 * Whether the client programs of PostgreSQL are here, with a server that they can read: the embedded one comes without them, and is newer than
 * those of the system.
 */
export const hasTools = await hasPostgres15();
if (!hasTools) console.warn('PostgreSQL 15 is not installed: backups and restores are not tested');

export interface Installation {
  test: TestServices;
  database: OwnServerDatabase;
  /** of its files, and for backups */
  folder: string;
  admin(
    args: readonly string[],
    config?: Partial<CoreConfig>,
  ): Promise<{ code: number; out: string; err: string }>;
  close(): Promise<void>;
}

/** An installation on a server of the version of the client programs. */
export async function createInstallation(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-backup-'));
  const database = await createDatabaseOnOwnServer({ binDir: POSTGRES_15, throwAway: true });
  const test = await createTestServices({
    postgres: database,
    env: { DATA_DIR: join(folder, 'data'), PG_BIN: POSTGRES_15 },
  });
  return {
    test,
    database,
    folder,
    async admin(args, config = {}) {
      const lines = { out: [] as string[], err: [] as string[] };
      const code = await runAdmin(args, {
        environment: () => ({}),
        env: () => ({ ...test.services.config, ...config }),
        out: (line) => lines.out.push(line),
        err: (line) => lines.err.push(line),
      });
      return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
    },
    async close() {
      await test.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
