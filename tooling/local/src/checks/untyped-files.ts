import { join } from 'node:path';
import { checkedConfigs, type Package, readConfig } from './typed-packages.ts';

/** The TypeScript files that no `typecheck` script checks, so that their errors would not be found. */
export function untypedFiles(root: string, files: string[], packages: Package[]): string[] {
  const included = new Set(packages.flatMap(checkedConfigs).flatMap((config) => readConfig(config).files));
  return files.filter((file) => !included.has(join(root, file)));
}
