export interface Manifest {
  name: string;
  version: string;
  exports?: Record<string, string>;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  publishConfig?: Record<string, unknown>;
  [field: string]: unknown;
}

/** Fields of no use to those who install the package. */
const omitted = new Set(['scripts', 'devDependencies', 'private']);

/**
 * The `package.json` that is published. In the workspace a package is imported from `src`, and its dependencies have the
 * version `*`, which the root pins; the published one names the compiled files and those versions.
 *
 * @param pinned versions by name: of the root's dependencies and of the packages of the workspace
 */
export function publishedManifest(manifest: Manifest, pinned: Readonly<Record<string, string>>): Manifest {
  const kept = Object.entries(manifest).filter(([field]) => !omitted.has(field));
  const { exports = {}, bin, dependencies } = manifest;
  return {
    ...(Object.fromEntries(kept) as Manifest),
    exports: Object.fromEntries(
      Object.entries(exports)
        .filter(([, file]) => file.startsWith('./src/'))
        .map(([name, file]) => [name, entryOf(file)]),
    ) as unknown as Record<string, string>,
    ...(bin && {
      bin: Object.fromEntries(Object.entries(bin).map(([name, file]) => [name, compiled(file)])),
    }),
    ...(dependencies && {
      dependencies: Object.fromEntries(
        Object.keys(dependencies).map((name) => [name, versionOf(name, pinned)]),
      ),
    }),
  };
}

const compiled = (file: string): string => file.replace(/^[.][/]src[/]/, './').replace(/[.]ts$/, '.js');

const entryOf = (file: string): Record<string, string> => ({
  types: compiled(file).replace(/[.]js$/, '.d.ts'),
  default: compiled(file),
});

function versionOf(name: string, pinned: Readonly<Record<string, string>>): string {
  const version = pinned[name];
  if (version === undefined) throw new Error(`the root package.json does not name a version of ${name}`);
  return version;
}
