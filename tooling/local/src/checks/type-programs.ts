import { checkedConfigs, type Package, readConfig } from './typed-packages.ts';

/** Files that are checked together. */
export interface Program {
  /** the configuration whose options they have */
  config: string;
  files: string[];
}

/**
 * The files of all `typecheck` scripts, those with the same options as one program. Package by package, the sources of a package would be checked
 * again with each that imports them.
 */
export function typePrograms(packages: Package[]): Program[] {
  const programs = new Map<string, Program>();
  for (const config of packages.flatMap(checkedConfigs).toSorted()) {
    const { files, options } = readConfig(config);
    const { configFilePath: _config, pathsBasePath: _base, tsBuildInfoFile: _info, ...compared } = options;
    const key = JSON.stringify(Object.entries(compared).toSorted());
    const program = programs.get(key);
    if (program) program.files = [...new Set([...program.files, ...files])];
    else programs.set(key, { config, files });
  }
  return [...programs.values()];
}
