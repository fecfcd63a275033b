import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { ROOT } from '../root.ts';

/** The part of a `package.json` that tells what is type-checked. */
export interface Package {
  /** Absolute path of the folder. */
  folder: string;
  scripts?: Record<string, string>;
}

/** The files of the repository that match a pattern of Git. */
export async function listed(...patterns: string[]): Promise<string[]> {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...patterns];
  const { stdout } = await promisify(execFile)('git', args, { cwd: ROOT, maxBuffer: 2 ** 26 });
  return stdout.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

export async function readPackages(): Promise<Package[]> {
  return Promise.all(
    (await listed('*/*/package.json')).map(async (path): Promise<Package> => {
      const { scripts } = JSON.parse(await readFile(join(ROOT, path), 'utf8')) as Partial<Package>;
      return { folder: join(ROOT, dirname(path)), ...(scripts ? { scripts } : {}) };
    }),
  );
}

/** The configurations of the `typecheck` script of a package. */
export function checkedConfigs({ folder, scripts = {} }: Package): string[] {
  return [...(scripts['typecheck'] ?? '').matchAll(/-p (\S+)/g)].map(([, path = '']) => join(folder, path));
}

/** What a configuration says: which files are checked, and how. */
export function readConfig(config: string): { files: string[]; options: ts.CompilerOptions } {
  const { config: text, error } = ts.readConfigFile(config, ts.sys.readFile);
  if (error) throw new Error(`${config}: ${ts.flattenDiagnosticMessageText(error.messageText, '\n')}`);
  const { fileNames, options } = ts.parseJsonConfigFileContent(text, ts.sys, dirname(config));
  return { files: fileNames.map((name) => join(name)), options };
}
