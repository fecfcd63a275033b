import { existsSync } from 'node:fs';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import {
  go,
  oapiCodegen,
  openapiGenerator,
  orval,
  packagesOf,
  program,
  runIn,
} from '@postrider/local/generator-tools';
import { versions } from '@postrider/local/generator-versions';
import { pythonTool } from '@postrider/local/python-tool';

/**
 * Generators of clients by other people, each with its default options. Every client compiles, or loads all that it has, unedited; those with
 * a program in `clients` then call a running api.
 */
interface Generator {
  name: string;
  /** part of `npm test`; the others are run by `npm run gate` */
  fast: boolean;
  /**
   * Generates from `openapi.json` of the folder, compiles, and runs the program with these arguments.
   *
   * @returns what it printed; undefined without a program
   */
  run(folder: string, args: string[]): Promise<string | undefined>;
}

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const programs = fileURLToPath(new URL('../clients/', import.meta.url));
const compiler = join(dirname(require.resolve('typescript-native/package.json')), 'bin', 'tsc');

const copied = (file: string, into: string): Promise<void> => cp(join(programs, file), into);

/** What programs of TypeScript import besides the client. */
async function withModules(folder: string): Promise<void> {
  const link = join(folder, 'node_modules');
  if (!existsSync(link)) await symlink(join(root, 'node_modules'), link, 'junction');
}

/** Compiles with `tsc --strict` and runs the program. */
async function typescript(folder: string, file: string, args: string[]): Promise<string> {
  await copied(file, join(folder, file));
  await withModules(folder);
  await writeFile(join(folder, 'package.json'), '{}');
  const compilerOptions = {
    strict: true,
    outDir: 'out',
    rootDir: '.',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'node20',
    types: ['node'],
  };
  const config = { compilerOptions, include: ['*.ts', 'generated'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await runIn(folder, process.execPath, [compiler, '-p', 'tsconfig.json']);
  return runIn(folder, process.execPath, [join('out', file.replace(/\.ts$/, '.js')), ...args]);
}

/** Installs what is generated, as a package with its dependencies, and runs the program. */
async function python(folder: string, file: string, args: string[]): Promise<string> {
  await copied(file, join(folder, file));
  await runIn(folder, await program('python3', 'python3', 'python3-venv'), ['-m', 'venv', 'venv']);
  const interpreter = join(folder, 'venv', 'bin', 'python');
  await runIn(folder, interpreter, ['-m', 'pip', 'install', '--quiet', './generated']);
  return runIn(folder, interpreter, [file, ...args]);
}

/** Compiles all of a module of Go and runs the program beside it. */
async function golang(module: string, file: string, args: string[], folder: string): Promise<string> {
  await mkdir(join(module, 'try'));
  await copied(file, join(module, 'try', 'main.go'));
  const compile = await go();
  const env = { GOFLAGS: '-mod=mod' };
  await runIn(module, compile, ['mod', 'tidy'], env);
  await runIn(module, compile, ['build', '-o', join(folder, 'try'), './try'], env);
  await runIn(module, compile, ['build', './...'], env);
  return runIn(folder, join(folder, 'try'), args);
}

const ofOpenapiGenerator: readonly Generator[] = [
  {
    name: 'openapi-generator python',
    fast: false,
    async run(folder, args) {
      await openapiGenerator(folder, 'python', 'generated');
      return python(folder, 'openapi_generator.py', args);
    },
  },
  {
    name: 'openapi-generator go',
    fast: false,
    async run(folder, args) {
      await openapiGenerator(folder, 'go', 'generated');
      return golang(join(folder, 'generated'), 'openapi_generator.go', args, folder);
    },
  },
  {
    name: 'openapi-generator typescript-fetch',
    fast: false,
    async run(folder, args) {
      await openapiGenerator(folder, 'typescript-fetch', 'generated');
      return typescript(folder, 'openapi-generator.ts', args);
    },
  },
  {
    name: 'openapi-generator java',
    fast: false,
    async run(folder, args) {
      await openapiGenerator(folder, 'java', 'generated');
      const module = join(folder, 'generated');
      await copied('OpenapiGenerator.java', join(module, 'src', 'main', 'java', 'OpenapiGenerator.java'));
      const maven = await program('mvn', 'maven');
      await runIn(module, maven, [
        '-q',
        '-B',
        'compile',
        'dependency:copy-dependencies',
        '-DoutputDirectory=lib',
      ]);
      const classes = ['-cp', ['target/classes', 'lib/*'].join(':'), 'OpenapiGenerator'];
      return runIn(module, await program('java', 'default-jdk-headless'), [...classes, ...args]);
    },
  },
  {
    name: 'openapi-generator php',
    fast: false,
    async run(folder) {
      await openapiGenerator(folder, 'php', 'generated');
      await copied('load.php', join(folder, 'load.php'));
      const packages = ['php-cli', 'php-mbstring', 'php-curl', 'php-guzzlehttp-guzzle'];
      const php = await program('php', ...packages);
      const hasGuzzle = await runIn(folder, php, [
        '-r',
        'echo stream_resolve_include_path("GuzzleHttp/autoload.php");',
      ]);
      if (hasGuzzle === '') await packagesOf('Guzzle', packages);
      await runIn(folder, php, ['load.php']);
      return undefined;
    },
  },
  {
    name: 'openapi-generator ruby',
    fast: false,
    async run(folder) {
      await openapiGenerator(folder, 'ruby', 'generated');
      await copied('load.rb', join(folder, 'load.rb'));
      const packages = ['ruby', 'ruby-typhoeus'];
      const ruby = await program('ruby', ...packages);
      const found = await runIn(folder, ruby, [
        '-e',
        'begin; require "typhoeus"; print 1; rescue LoadError; end',
      ]);
      if (found === '') await packagesOf('typhoeus', packages);
      await runIn(folder, ruby, ['load.rb']);
      return undefined;
    },
  },
];

export const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    fast: true,
    async run(folder, args) {
      await mkdir(join(folder, 'generated'));
      await copied('generate-types.ts', join(folder, 'generate-types.mts'));
      await withModules(folder);
      await runIn(folder, process.execPath, ['generate-types.mts']);
      return typescript(folder, 'openapi-typescript.ts', args);
    },
  },
  {
    name: 'openapi-python-client',
    fast: true,
    async run(folder, args) {
      const tool = await pythonTool('openapi-python-client', versions['openapi-python-client']);
      const options = ['generate', '--path', 'openapi.json', '--output-path', 'postrider', '--meta', 'none'];
      const printed = await runIn(folder, tool.bin('openapi-python-client'), options);
      // It leaves out what it cannot express: nothing but the tracking image.
      const left = (printed.match(/^(WARNING|ERROR).*$/gm) ?? []).filter(
        (line) => !line.includes('/t/o/{token}.gif'),
      );
      if (left.length > 0) throw new Error(left.join('\n'));
      await copied('openapi_python_client.py', join(folder, 'openapi_python_client.py'));
      return runIn(folder, tool.python, ['openapi_python_client.py', ...args]);
    },
  },
  {
    name: '@hey-api/openapi-ts',
    fast: true,
    async run(folder, args) {
      const output = join(folder, 'generated');
      await createClient({
        input: join(folder, 'openapi.json'),
        output,
        logs: { level: 'silent', file: false },
      });
      return typescript(folder, 'hey-api.ts', args);
    },
  },
  {
    name: 'orval fetch and zod',
    fast: true,
    async run(folder, args) {
      const installed = await orval();
      const config = {
        fetch: { input: './openapi.json', output: { target: './generated/fetch.ts', client: 'fetch' } },
        zod: { input: './openapi.json', output: { target: './generated/zod.ts', client: 'zod' } },
      };
      await writeFile(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)};`);
      await runIn(folder, process.execPath, [join(installed, 'orval', 'dist', 'bin', 'orval.mjs')]);
      return typescript(folder, 'orval.ts', args);
    },
  },
  {
    name: 'oapi-codegen',
    fast: false,
    async run(folder, args) {
      const module = join(folder, 'module');
      await mkdir(join(module, 'postrider'), { recursive: true });
      const options = [
        '-generate',
        'types,client',
        '-package',
        'postrider',
        '-o',
        join(module, 'postrider', 'gen.go'),
      ];
      await runIn(folder, await oapiCodegen(), [...options, 'openapi.json']);
      await writeFile(join(module, 'go.mod'), 'module example.com/shop\n\ngo 1.24\n');
      return golang(module, 'oapi_codegen.go', args, folder);
    },
  },
  ...ofOpenapiGenerator,
];

/** The SDKs of this repository for other languages than its own, called like what others generate. */
export const sdks: readonly Generator[] = [
  {
    name: 'SDK for Python',
    fast: true,
    async run(folder, args) {
      const { python: interpreter } = await pythonTool('httpx', versions.httpx);
      const program = join(programs, 'sdk.py');
      return runIn(folder, interpreter, [program, ...args], {
        PYTHONPATH: join(root, 'packages', 'sdk-python', 'src'),
        PYTHONDONTWRITEBYTECODE: '1',
      });
    },
  },
  {
    name: 'SDK for Go',
    fast: true,
    async run(folder, args) {
      const module = join(folder, 'shop');
      await mkdir(module);
      await copied('sdk.go', join(module, 'main.go'));
      const name = 'github.com/postrider/postrider-go';
      const source = join(root, 'packages', 'sdk-go');
      const modFile = `module example.com/shop\n\ngo 1.24\n\nrequire ${name} v0.0.0\n\nreplace ${name} => ${source}\n`;
      await writeFile(join(module, 'go.mod'), modFile);
      return runIn(module, await go(), ['run', '.', ...args]);
    },
  },
];
