import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');
export const rulesFolder = join(root, 'monitoring/prometheus');

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
export const readRules = (): Promise<string> => read('monitoring/prometheus/rules.yml');
export const readOperation = (): Promise<string> => read('docs/operation.md');

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; refId: string }[];
}

interface Dashboard {
  uid: string;
  schemaVersion: number;
  panels: Panel[];
}

export const readDashboard = async (): Promise<Dashboard> =>
  JSON.parse(await read('monitoring/grafana/postrider.json'));

interface Alert {
  name: string;
  severity: string | undefined;
  action: string | undefined;
}

export const alertsIn = (rules: string): Alert[] =>
  rules
    .split(/^ {6}- /m)
    .filter((rule) => rule.startsWith('alert:'))
    .map((rule) => ({
      name: /^alert: (\w+)$/m.exec(rule)?.[1] ?? '',
      severity: /severity: (\w+)/.exec(rule)?.[1],
      action: /^ +action: "(.+)"$/m.exec(rule)?.[1],
    }));

/** The metrics that an expression names, without the endings of histograms; those that the rules record begin with `postrider:`. */
export const metricsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\bpostrider(?:_[a-z0-9_]+|:[a-z0-9_:]+[a-z0-9])/g)].map(([name]) =>
      name.replace(/_seconds_(bucket|count|sum)$/, '_seconds').replace(/_size_(bucket|count|sum)$/, '_size'),
    ),
  ),
];
