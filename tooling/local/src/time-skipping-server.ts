import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withProgress } from './progress.ts';
import { cacheDir, findExecutable, isExecutable } from './tool-cache.ts';

const run = promisify(execFile);

const VERSION = '1.32.0';

/** As `TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })` takes it. */
export type TimeSkippingExecutable = { type: 'existing-path'; path: string } | { type: 'cached-download' };

/**
 * Finds Temporal's test server that skips time: what the SDK downloads itself where its host can be reached, else the same
 * server as Java classes from Maven, kept in the cache.
 */
export async function timeSkippingServer(): Promise<TimeSkippingExecutable> {
  const cached = join(cacheDir(), `temporal-test-server-${VERSION}`, 'run');
  if (await isExecutable(cached)) return { type: 'existing-path', path: cached };
  if (await sdkCanDownload()) return { type: 'cached-download' };
  await fetchFromMaven(cached);
  return { type: 'existing-path', path: cached };
}

async function sdkCanDownload(): Promise<boolean> {
  return fetch('https://temporal.download/', { method: 'HEAD', signal: AbortSignal.timeout(4_000) }).then(
    () => true,
    () => false,
  );
}

async function fetchFromMaven(wrapper: string): Promise<void> {
  const maven = await findExecutable('mvn');
  const java = await findExecutable('java');
  if (maven === undefined || java === undefined) {
    throw new Error(
      'The time-skipping Temporal test server cannot be downloaded from temporal.download, and Java with Maven, ' +
        'the other way to get it, is not installed.',
    );
  }
  await mkdir(cacheDir(), { recursive: true });
  const work = await mkdtemp(join(cacheDir(), 'temporal-test-server-'));
  try {
    await writeFile(join(work, 'pom.xml'), pom());
    await withProgress(`Fetching the Temporal test server ${VERSION} with Maven, only once …`, () =>
      run(maven, ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'], { cwd: work }),
    );
    const script = `#!/bin/sh\nexec java -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"\n`;
    await writeFile(join(work, 'run'), script, { mode: 0o755 });
    const folder = join(wrapper, '..');
    await rm(folder, { recursive: true, force: true });
    await rename(work, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function pom(): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>postrider</groupId>
  <artifactId>temporal-test-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;
}
