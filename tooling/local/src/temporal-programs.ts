import { dirname, join } from 'node:path';
import { cached, go, runIn } from './generator-tools.ts';
import { temporalServerVersion } from './pinned-download.mjs';
import { CHECKED } from './temporal-binary.mjs';

/** Programs of the Temporal server as it runs in production: each role a process, on a database that is made by the tool. */
export interface TemporalPrograms {
  server: string;
  /** `temporal-sql-tool` */
  sqlTool: string;
}

/** Builds them once for all clones; that takes some minutes. @throws Error if Go is neither there nor can be installed */
export async function temporalPrograms(): Promise<TemporalPrograms> {
  const version = temporalServerVersion;
  const server = await cached(
    `temporal-server-${version}`,
    'server',
    `the roles of the Temporal server ${version} with Go`,
    async (into) => {
      const module = 'go.temporal.io/server/cmd';
      for (const program of ['server', 'tools/sql'])
        await runIn(into, await go(), ['install', `${module}/${program}@v${version}`], {
          GOBIN: into,
          GOFLAGS: '-mod=mod',
          ...CHECKED,
        });
    },
  );
  return { server, sqlTool: join(dirname(server), 'sql') };
}
