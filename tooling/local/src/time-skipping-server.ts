import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './ports.ts';
import { withProgress } from './progress.mjs';
import { cacheDir, findExecutable, isExecutable } from './tool-cache.mjs';

const run = promisify(execFile);

const VERSION = '1.32.0';

/** The `executable` for `TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })`. */
export type TimeSkippingExecutable = { type: 'existing-path'; path: string } | { type: 'cached-download' };

/**
 * Finds Temporal's time-skipping test server: the SDK's own download if its host is reachable, otherwise the same
 * server as Java classes from Maven, kept in the cache.
 */
export async function timeSkippingServer(): Promise<TimeSkippingExecutable> {
  const cached = join(cacheDir(), `temporal-test-server-${VERSION}.sh`);
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
    await withProgress(`Fetching the Temporal test server ${VERSION} with Maven, only once …`, async () => {
      await run(maven, ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'], { cwd: work });
      await archiveClasses(java, work);
    });
    // Written last and moved into place: if it exists, the rest is complete.
    const script = join(work, 'run');
    await writeFile(script, `#!/bin/sh\nexec ${[java, ...javaOptions(work)].map(quoted).join(' ')} "$@"\n`, {
      mode: 0o755,
    });
    await rename(script, wrapper);
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    throw error;
  }
}

/** Settings for a process that runs for one test file. */
const LIGHT = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
const SERVER = 'io.temporal.testserver.TestServer';
const archiveOf = (folder: string): string => join(folder, 'classes.jsa');
const classesOf = (folder: string): string => join(folder, 'lib', '*');

const javaOptions = (folder: string): string[] => [
  ...LIGHT,
  '-Xshare:auto',
  `-XX:SharedArchiveFile=${archiveOf(folder)}`,
  '-cp',
  classesOf(folder),
  SERVER,
];

const quoted = (argument: string): string => `'${argument.replaceAll("'", "'\\''")}'`;

/**
 * Archives the server's loaded classes (class data sharing): on a busy machine it then starts in one second instead
 * of five, which is the limit of the SDK. Java ignores an archive that it cannot use.
 */
async function archiveClasses(java: string, folder: string): Promise<void> {
  const port = await freePort();
  const options = [
    ...LIGHT,
    `-XX:ArchiveClassesAtExit=${archiveOf(folder)}`,
    '-cp',
    classesOf(folder),
    SERVER,
  ];
  const server = spawn(java, [...options, String(port)], { stdio: 'ignore' });
  const exited = once(server, 'exit');
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && server.exitCode === null && !(await isListening(port))) await sleep(100);
  server.kill('SIGTERM');
  await exited;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
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
