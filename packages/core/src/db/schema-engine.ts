import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { openClient, openPool } from './connect.ts';

const require = createRequire(import.meta.url);
const prismaDir = join(dirname(fileURLToPath(import.meta.url)), '../../prisma');

/** The part of Prisma's schema engine in use; the package publishes no types for its bare module. */
export interface SchemaEngine {
  applyMigrations(input: {
    filters: { externalTables: string[]; externalEnums: string[] };
    migrationsList: MigrationsList;
  }): Promise<{ appliedMigrationNames: string[] }>;
  diff(input: object): Promise<{ stdout: string | null; exitCode: number }>;
}

interface MigrationsList {
  baseDir: string;
  lockfile: { path: string; content: string };
  shadowDbInitScript: string;
  migrationDirectories: {
    path: string;
    migrationFile: { path: string; content: { tag: 'ok'; value: string } };
  }[];
}

/** The part of the WebAssembly API in use; its types exist only in the DOM library, which server code does not load. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: object,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

interface EngineModule {
  SchemaEngine: {
    new: (
      options: { datamodels: [string, string][] },
      log: (line: string) => void,
      adapter: unknown,
    ) => Promise<SchemaEngine>;
  };
  __wbg_set_wasm(exports: Record<string, unknown>): void;
}

let loaded: Promise<EngineModule> | undefined;

/** The module keeps its WebAssembly instance in a module variable: a second instance would replace the first. */
function loadEngine(): Promise<EngineModule> {
  loaded ??= instantiate();
  return loaded;
}

async function instantiate(): Promise<EngineModule> {
  const folder = dirname(require.resolve('@prisma/schema-engine-wasm'));
  const bg: EngineModule = await import(pathToFileURL(join(folder, 'schema_engine_bg.js')).href);
  const wasm = await readFile(join(folder, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bg });
  bg.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bg;
}

/**
 * Prisma's schema engine as WebAssembly, talking through the pg driver: migrations need no native engine binary and
 * run in the same process as the service.
 */
export async function openSchemaEngine(databaseUrl: string): Promise<SchemaEngine> {
  const { SchemaEngine } = await loadEngine();
  return SchemaEngine.new(
    { datamodels: await readDatamodels() },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(wholeScriptFactory(databaseUrl)),
  );
}

/**
 * The pg adapter cuts a script at every semicolon, those inside function bodies and comments included. PostgreSQL's
 * simple protocol runs a whole script in one implicit transaction.
 */
function wholeScriptFactory(databaseUrl: string): SqlMigrationAwareDriverAdapterFactory {
  const factory: SqlMigrationAwareDriverAdapterFactory = new PrismaPg(
    openPool({ connectionString: databaseUrl }),
    {
      disposeExternalPool: true,
    },
  );
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connectToShadowDb: () => factory.connectToShadowDb(),
    async connect() {
      const adapter = await factory.connect();
      adapter.executeScript = (script) => runScript(databaseUrl, script);
      return adapter;
    },
  };
}

async function runScript(databaseUrl: string, script: string): Promise<void> {
  const client = openClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(script);
  } finally {
    await client.end();
  }
}

export async function readDatamodels(): Promise<[string, string][]> {
  const folder = join(prismaDir, 'schema');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.prisma')).sort();
  return Promise.all(
    names.map(async (name): Promise<[string, string]> => [name, await readFile(join(folder, name), 'utf8')]),
  );
}

export async function readMigrations(): Promise<MigrationsList> {
  const baseDir = join(prismaDir, 'migrations');
  const names = (await readdir(baseDir, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    baseDir,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(join(baseDir, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (path) => ({
        path,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(join(baseDir, path, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
}

export const readExtras = (): Promise<string> => readFile(join(prismaDir, 'extras.sql'), 'utf8');

/** SQL that creates the schema of the Prisma files in an empty database (without `extras.sql`). */
export async function schemaFromEmpty(databaseUrl: string): Promise<string> {
  const engine = await openSchemaEngine(databaseUrl);
  const { stdout } = await engine.diff({
    from: { tag: 'empty' },
    to: {
      tag: 'schemaDatamodel',
      files: (await readDatamodels()).map(([path, content]) => ({ path, content })),
    },
    script: true,
    exitCode: null,
    shadowDatabaseUrl: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return stdout ?? '';
}
