import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundle } from '@temporalio/worker';

const workflowsPath = fileURLToPath(new URL('./workflows.ts', import.meta.url));
const keptAt = fileURLToPath(new URL('../dist/workflow-bundle.json', import.meta.url));

interface KeptBundle {
  /** The files that the bundle was made of, relative to the folder of `workflows.ts`. */
  files: string[];
  /** of their contents */
  digest: string;
  code: string;
}

/**
 * The bundle of all workflows. Bundling takes seconds of processor time, many of them on a busy machine, which a worker that is
 * restarted after a crash must not spend: the bundle is kept, and used again while the files that it was made of are unchanged.
 *
 * @param log is told when the bundle cannot be kept, as on a read-only disk: the worker runs, and the next start bundles again
 */
export async function workflowBundle(
  log: { warn(details: object, message: string): void },
  keepAt: string = keptAt,
): Promise<WorkflowBundle> {
  const kept = await readKept(keepAt);
  if (kept !== undefined && kept.digest === (await digestOf(kept.files))) return { code: kept.code };
  const begun = Date.now();
  const { code, files } = await bundle();
  if (await haveChanged(files, begun)) return { code };
  const made: KeptBundle = { files, digest: await digestOf(files), code };
  await keep(keepAt, made).catch((error: unknown) =>
    log.warn({ err: error }, 'the bundle of the workflows cannot be kept; the next start makes it again'),
  );
  return { code };
}

async function readKept(file: string): Promise<KeptBundle | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as KeptBundle;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function bundle(): Promise<{ code: string; files: string[] }> {
  let files: string[] = [];
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('WARN'),
    webpackConfigHook: (config) => ({
      ...config,
      plugins: [
        ...(config.plugins ?? []),
        ({ hooks }) =>
          hooks.done.tap('postrider', ({ compilation }) => {
            files = [...compilation.fileDependencies, import.meta.filename];
          }),
      ],
    }),
  });
  return { code, files: files.map((file) => relative(dirname(workflowsPath), file)).sort() };
}

/** Whether a file was saved while the bundle was made, which may have the contents before. */
async function haveChanged(files: string[], since: number): Promise<boolean> {
  const times = await Promise.all(
    files.map((file) => stat(resolve(dirname(workflowsPath), file), { throwIfNoEntry: false })),
  );
  return times.some((found) => found?.isFile() === true && found.mtimeMs >= since);
}

/** Folders, and the entry that exists in memory alone, have no contents of their own. */
async function digestOf(files: string[]): Promise<string> {
  const contents = await Promise.all(
    files.map((file) =>
      readFile(resolve(dirname(workflowsPath), file)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EISDIR' || error.code === 'ENOENT') return '';
        throw error;
      }),
    ),
  );
  const hash = createHash('sha256');
  for (const [index, content] of contents.entries()) {
    hash.update(`${files[index]}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Whole or not at all: workers that start at the same time each make and keep the same bundle. */
async function keep(file: string, made: KeptBundle): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, JSON.stringify(made));
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
