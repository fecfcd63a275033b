import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from './root.ts';
import { findExecutable } from './tool-cache.mjs';

const run = promisify(execFile);
const folder = join(ROOT, 'deploy');
const head = 'Checked by schema, never run by us.';
/** What is run, and by what. */
const isRun = new Map([['haproxy/haproxy.cfg', 'Run by `npm run chaos -- cluster`']]);
const haproxy = await findExecutable('haproxy');
const helm = await findExecutable('helm');

const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');

/** The variables of B10. */
let known: Set<string>;
let files: string[];

beforeAll(async () => {
  const behaviour = await readFile(join(ROOT, 'docs/behaviour.md'), 'utf8');
  const section = behaviour.slice(behaviour.indexOf('# B10 Environment'), behaviour.indexOf('# B11'));
  const names = [...section.matchAll(/^\| (`[^|]+)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = '']) => name),
  );
  known = new Set(['NODE_ENV', ...names]);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
});

it('every file says in its head whether it was ever run', async () => {
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const lines = (await readFile(file, 'utf8')).split('\n');
    expect(lines.slice(0, 3).join('\n'), file).toContain(isRun.get(relative(folder, file)) ?? head);
  }
});

describe('compose/cluster.yml', () => {
  interface Service {
    image: string;
    command?: string[];
    environment: Record<string, string>;
    depends_on?: Record<string, { condition: string }>;
    ports?: string[];
    stop_grace_period?: string;
  }
  let services: Record<string, Service>;
  let text: string;
  beforeAll(async () => {
    text = await read('compose/cluster.yml');
    services = parse(text, { merge: true }).services;
  });

  it('runs api, worker, delivery and the migration before them, and nothing else', () => {
    expect(Object.keys(services)).toEqual(['migrate', 'api', 'worker', 'delivery']);
    for (const [name, { depends_on }] of Object.entries(services))
      expect(depends_on, name).toEqual(
        name === 'migrate' ? undefined : { migrate: { condition: 'service_completed_successfully' } },
      );
  });

  it('sets variables that there are, and asks for what all machines share', () => {
    for (const { environment } of Object.values(services))
      for (const name of Object.keys(environment)) expect(known, name).toContain(name);
    const asked = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    expect(new Set(asked)).toEqual(
      new Set(['DATABASE_URL', 'TEMPORAL_ADDRESS', 'APP_SECRET', 'API_URL', 'S3_BUCKET', 'IMAGE', 'TAG']),
    );
  });

  it('starts entries that there are, and leaves them the time to stop', () => {
    for (const { command = [] } of Object.values(services))
      for (const part of command.filter((word) => word.endsWith('.ts')))
        expect(existsSync(join(ROOT, part)), part).toBe(true);
    expect(services['worker']?.environment['MAIL_WORKERS']).toBe('0');
    for (const name of ['api', 'worker', 'delivery'])
      expect(Number.parseInt(services[name]?.stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(40);
  });
});

describe('haproxy/haproxy.cfg', () => {
  it('asks each api whether it is ready, and sends no request a second time', async () => {
    const text = await read('haproxy/haproxy.cfg');
    expect(text).toContain('option httpchk GET /health/ready');
    expect(text).toMatch(/^ {2}retry-on conn-failure$/m);
    expect(text.match(/^ {2}server api\d /gm)?.length).toBeGreaterThanOrEqual(2);
  });

  it.skipIf(haproxy === undefined)(
    `is valid for HAProxy${haproxy === undefined ? ' (not checked: haproxy is not installed)' : ''}`,
    async () => {
      await run(haproxy ?? '', ['-c', '-f', join(folder, 'haproxy/haproxy.cfg')]);
    },
  );
});

describe('helm/postrider', () => {
  const chart = 'helm/postrider';
  /** Without a renderer: lines that only steer are left out, and each value is a word. */
  const withoutActions = (template: string): string =>
    template
      .replace(/^\s*\{\{-? *(if|else|end|range|with|include|toYaml|define|\/\*)[^\n]*$/gm, '')
      .replace(/\{\{[^}]*\}\}/g, 'word');
  const documentsOf = (text: string): { kind: string; apiVersion: string }[] =>
    parseAllDocuments(text).flatMap((document) => {
      expect(document.errors).toEqual([]);
      const value = document.toJS();
      return value === null ? [] : [value];
    });
  let templates: Map<string, string>;
  beforeAll(async () => {
    const names = (await readdir(join(folder, chart, 'templates'))).filter((name) => name.endsWith('.yaml'));
    templates = new Map(
      await Promise.all(
        names.map(
          async (name): Promise<[string, string]> => [name, await read(`${chart}/templates/${name}`)],
        ),
      ),
    );
  });
  const kinds = {
    'api.yaml': ['Deployment', 'Service'],
    'delivery.yaml': ['Deployment'],
    'disruption-budget.yaml': ['PodDisruptionBudget'],
    'ingress.yaml': ['Ingress'],
    'migrate.yaml': ['Job'],
    'network-policy.yaml': ['NetworkPolicy', 'NetworkPolicy'],
    'worker.yaml': ['Deployment'],
  };

  it('has what runs, and no database', () => {
    const found = [...templates].map(([name, text]) => [
      name,
      documentsOf(withoutActions(text)).map(({ kind }) => kind),
    ]);
    expect(Object.fromEntries(found)).toEqual(kinds);
  });

  it('reads values that there are', async () => {
    const values = parse(await read(`${chart}/values.yaml`));
    const all = [...templates.values(), await read(`${chart}/templates/_helpers.tpl`)].join('\n');
    const paths = [...all.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) {
      const found = path.split('.').reduce((at, key) => at?.[key], values);
      expect(found, path).toBeDefined();
    }
  });

  it('sets variables that there are', async () => {
    const values: { env: Record<string, string> } = parse(await read(`${chart}/values.yaml`));
    const all = [...templates.values(), await read(`${chart}/templates/_helpers.tpl`)].join('\n');
    const set = [...all.matchAll(/- \{ name: ([A-Z0-9_]+),/g)].map(([, name = '']) => name);
    expect(set).toContain('MIGRATE');
    for (const name of [...set, ...Object.keys(values.env)]) expect(known, name).toContain(name);
  });

  it.skipIf(helm === undefined)(
    `is rendered by Helm${helm === undefined ? ' (not checked: helm is not installed)' : ''}`,
    async () => {
      const values = {
        'env.API_URL': 'https://mail.example.com',
        'env.TEMPORAL_ADDRESS': 'temporal:7233',
        'env.S3_BUCKET': 'images',
        'ingress.enabled': 'true',
        'ingress.className': 'nginx',
        'ingress.tlsSecret': 'tls',
      };
      const given = Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
      const { stdout } = await run(helm ?? '', ['template', 'mail', join(folder, chart), ...given]);
      const found = documentsOf(stdout).map(({ kind }) => kind);
      expect(found.sort()).toEqual(
        [...Object.values(kinds).flat(), 'PodDisruptionBudget', 'PodDisruptionBudget'].sort(),
      );
      await run(helm ?? '', ['lint', '--strict', join(folder, chart), ...given]);
      // Without the address of the installation it says so.
      await expect(run(helm ?? '', ['template', 'mail', join(folder, chart)])).rejects.toThrow('API_URL');
    },
  );
});
