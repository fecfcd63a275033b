import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findPrometheus } from '@postrider/local/prometheus';
import { describe, expect, it } from 'vitest';
import {
  alertsIn,
  metricsIn,
  readDashboard,
  readOperation,
  readRules,
  rulesFolder,
} from './read-monitoring.fixture.ts';

const run = promisify(execFile);

describe('the rules', () => {
  it('have 23 alerts, each with an action and its heading in docs/operation.md', async () => {
    const alerts = alertsIn(await readRules());
    expect(alerts).toHaveLength(23);
    for (const { severity, action } of alerts) {
      expect(['page', 'ticket']).toContain(severity);
      expect(action?.length).toBeGreaterThan(20);
    }
    const headings = [...(await readOperation()).matchAll(/^### Alerts: (.+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(alerts.map(({ name }) => name));
  });

  it('are sound, and fire as their tests say, by promtool', async (context) => {
    let reason = '';
    const prometheus = await findPrometheus((why) => {
      reason = why;
    });
    if (!prometheus) return context.skip(`Prometheus is absent: ${reason}`);
    const promtool = (...args: string[]) => run(prometheus.promtool, args, { cwd: rulesFolder });
    expect((await promtool('check', 'rules', 'rules.yml')).stdout).toContain('SUCCESS');
    for (const tests of ['rules.test.yml', 'rules-of-days.test.yml'])
      expect((await promtool('test', 'rules', tests)).stdout).toContain('SUCCESS');
  });
});

describe('the dashboard', () => {
  it('has panels that lie beside one another, with queries', async () => {
    const { uid, schemaVersion, panels } = await readDashboard();
    expect([uid, schemaVersion]).toEqual(['postrider', 39]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = new Set<string>();
    for (const { type, title, gridPos, targets } of panels) {
      expect(title).not.toBe('');
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      if (type !== 'row') expect(targets?.length).toBeGreaterThan(0);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(cells).not.toContain(`${x} ${y}`);
          cells.add(`${x} ${y}`);
        }
    }
  });

  it('uses records that the rules have', async () => {
    const { panels } = await readDashboard();
    const recorded = [...(await readRules()).matchAll(/record: (\S+)$/gm)].map(([, name]) => name);
    const used = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr)));
    for (const name of used.filter((each) => each.startsWith('postrider:'))) expect(recorded).toContain(name);
  });
});
