import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The part of a `package.json` that this check reads. */
export interface Package {
  /** Absolute path of the folder. */
  folder: string;
  scripts?: Record<string, string>;
}

/** The TypeScript files that no `typecheck` script checks, so that their errors would not be found. */
export function untypedFiles(root: string, files: string[], packages: Package[]): string[] {
  const included = new Set(packages.flatMap(checkedConfigs).flatMap(filesOf));
  return files.filter((file) => !included.has(join(root, file)));
}

function checkedConfigs({ folder, scripts = {} }: Package): string[] {
  return [...(scripts['typecheck'] ?? '').matchAll(/-p (\S+)/g)].map(([, path = '']) => join(folder, path));
}

function filesOf(config: string): string[] {
  const { config: text, error } = ts.readConfigFile(config, ts.sys.readFile);
  if (error) throw new Error(`${config}: ${ts.flattenDiagnosticMessageText(error.messageText, '\n')}`);
  return ts.parseJsonConfigFileContent(text, ts.sys, dirname(config)).fileNames.map((name) => join(name));
}
