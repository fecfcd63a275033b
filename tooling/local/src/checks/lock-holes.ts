/** The part of `package-lock.json` that lists every installed package by its folder. */
export interface Lock {
  packages: Record<string, { version?: string; optionalDependencies?: Record<string, string> }>;
}

/**
 * Packages whose optional dependencies, usually one per platform, are not all in the lock. `npm ci` refuses such a lock or
 * installs a tool without its program on the platforms that are missing. A lock gets holes when it is written before
 * the registry has every platform package of a new version of a tool.
 */
export function lockHoles(lock: Lock): string[] {
  return Object.entries(lock.packages).flatMap(([folder, { version, optionalDependencies = {} }]) => {
    const missing = Object.keys(optionalDependencies).filter((name) => !isLocked(lock, folder, name));
    return missing.length === 0 ? [] : [`${folder}@${version} lacks ${missing.join(', ')}`];
  });
}

/** As Node resolves a package: in the `node_modules` of the folder, then in those above it. */
function isLocked(lock: Lock, folder: string, name: string): boolean {
  if (lock.packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`]) return true;
  if (folder === '') return false;
  const above = folder.lastIndexOf('/node_modules/');
  return isLocked(lock, above === -1 ? '' : folder.slice(0, above), name);
}
