import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { go, packagesOf, program, runIn } from '@postrider/local/generator-tools';

/** The samples of the guides: a folder per language, with the same names in each. */
export const samplesFolder = fileURLToPath(new URL('../../../docs/guides/samples/', import.meta.url));

/** How the samples of a folder are run. A language that is missing and cannot be installed is an error that says what to install. */
export interface Language {
  /** its folder */
  name: string;
  extension: string;
  /** @returns the program and its arguments that run a sample */
  prepare(folder: string): Promise<(sample: string, port: number) => [string, ...string[]]>;
}

const sampleFile = ({ name, extension }: Pick<Language, 'name' | 'extension'>, sample: string): string =>
  join(samplesFolder, name, `${sample}.${extension}`);

/** A language whose interpreter takes the file. */
const interpreted = (name: string, extension: string, find: () => Promise<string>): Language => ({
  name,
  extension,
  async prepare() {
    const interpreter = await find();
    return (sample) => [interpreter, sampleFile({ name, extension }, sample)];
  },
});

const php: Language = {
  name: 'php',
  extension: 'php',
  async prepare(folder) {
    const interpreter = await program('php', 'php-cli', 'php-curl');
    const modules = await runIn(folder, interpreter, ['-m']);
    if (!/^curl$/m.test(modules)) await packagesOf('The module curl of PHP', ['php-curl']);
    return (sample, port) => {
      const file = sampleFile(php, sample);
      return sample === 'webhook' ? [interpreter, '-S', `127.0.0.1:${port}`, file] : [interpreter, file];
    };
  },
};

const golang: Language = {
  name: 'go',
  extension: 'go',
  /** All programs are compiled at once. Each has a folder of its own, since each has a `main`. */
  async prepare(folder) {
    const module = join(folder, 'go');
    await mkdir(module);
    await writeFile(join(module, 'go.mod'), 'module samples\n\ngo 1.24\n');
    for (const file of await readdir(join(samplesFolder, 'go'))) {
      const command = join(module, basename(file, extname(file)));
      await mkdir(command);
      await cp(join(samplesFolder, 'go', file), join(command, 'main.go'));
    }
    const binaries = join(folder, 'go-bin/');
    await mkdir(binaries);
    await runIn(module, await go(), ['build', '-ldflags=-s -w', '-o', binaries, './...'], {
      GOFLAGS: '-mod=mod',
    });
    return (sample) => [join(binaries, sample)];
  },
};

export const languages: readonly Language[] = [
  interpreted('typescript', 'ts', async () => process.execPath),
  interpreted('python', 'py', () => program('python3', 'python3')),
  golang,
  php,
  interpreted('ruby', 'rb', () => program('ruby', 'ruby')),
  interpreted('curl', 'sh', async () => {
    await program('curl', 'curl');
    return program('bash', 'bash');
  }),
];
