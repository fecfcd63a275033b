import { execFile } from 'node:child_process';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { ROOT } from '@postrider/local/root';

const run = promisify(execFile);

/** The commit of the working tree, with a plus sign if files differ from it; `unknown` outside of a repository. */
export async function describeCommit(): Promise<string> {
  try {
    const { stdout: commit } = await run('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT });
    const { stdout: changes } = await run(
      'git',
      ['status', '--porcelain', '-uno', '--', '.', ':!docs', ':!*.md'],
      { cwd: ROOT },
    );
    return `${commit.trim()}${changes.trim() === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}

export const describeVersions = (): string[] => [
  `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}`,
  `Node ${process.versions.node}; PostgreSQL and Temporal as embedded by \`npm start\``,
];
