import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { openPool } from './connect.ts';

const require = createRequire(import.meta.url);
const prismaDir = join(dirname(fileURLToPath(import.meta.url)), '../../../prisma');

/** The part of Prisma's schema engine in use; the package publishes no types for its bare module. */
interface SchemaEngine {
  diff(input: object): Promise<{ stdout: string | null; exitCode: number }>;
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
 * Prisma's schema engine as WebAssembly, talking through the pg driver, which needs no native engine binary. It is a private part of Prisma, used
 * in development only.
 */
async function openSchemaEngine(databaseUrl: string): Promise<SchemaEngine> {
  const { SchemaEngine } = await loadEngine();
  return SchemaEngine.new(
    { datamodels: await readDatamodels() },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(
      new PrismaPg(openPool({ connectionString: databaseUrl }), { disposeExternalPool: true }),
    ),
  );
}

async function readDatamodels(): Promise<[string, string][]> {
  const folder = join(prismaDir, 'schema');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.prisma')).sort();
  return Promise.all(
    names.map(async (name): Promise<[string, string]> => [name, await readFile(join(folder, name), 'utf8')]),
  );
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
