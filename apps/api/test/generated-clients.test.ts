import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webhookBodies, webhookEvent } from '@postrider/core/insight/webhook-endpoints/contract';
import { verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleOf } from '../src/rest/openapi/example.ts';
import { SchemaWriter } from '../src/rest/openapi/json-schema.ts';
import { generators } from './gate/generators.ts';
import { startApp, type TestApp } from './harness.ts';

/**
 * Clients that generators by other people make from `/openapi.json` compile unedited, call the running app and read every kind of webhooks.
 * `npm run gate` runs all of them, `npm test` those that take seconds.
 */

/** Time limit of a generator on a busy machine, including its first installation. */
const patience = 600_000;
const isGate = process.env['GATE'] !== undefined;
const chosen = generators.filter(({ name, fast }) =>
  isGate ? name.includes(process.env['GATE'] ?? '') : fast,
);

let test: TestApp;
let base: string;
let document: string;

beforeAll(async () => {
  test = await startApp();
  base = await test.app.listen({ host: '127.0.0.1', port: 0 });
  document = (await test.anyone('GET', '/openapi.json')).text;
  await verifiedDomain(test.services, test.project.id, 'mail.example.com');
});
afterAll(() => test.close());

/** A payload of each kind, and of the customer's own events one with data. */
function payloads(): object[] {
  return webhookBodies.map(({ kind, type, body }) => {
    const writer = new SchemaWriter();
    const example = exampleOf(writer.write(body, 'output'), writer) as { data: object };
    const payload = { ...example, kind, type };
    expect(webhookEvent.parse(payload)).toEqual(payload);
    return payload;
  });
}

describe('a generated client compiles, and those with a program send, read a list and an error, and read all webhooks', () => {
  it.each(chosen.map((generator, index) => [generator.name, generator, `client${index}x`] as const))(
    '%s',
    { timeout: patience },
    async (_name, generator, prefix) => {
      const folder = await mkdtemp(join(tmpdir(), 'generated-client-'));
      try {
        await writeFile(join(folder, 'openapi.json'), document);
        const webhooks = join(folder, 'webhooks.json');
        await writeFile(webhooks, JSON.stringify(payloads()));
        const printed = await generator.run(folder, [base, test.project.secretKey, prefix, webhooks]);
        if (printed === undefined) return;
        const { kinds, ...calls } = JSON.parse(printed);
        expect(kinds).toEqual(webhookBodies.map(({ kind }) => kind));
        // The program of Java reads webhooks only.
        if (Object.keys(calls).length === 0) return;
        expect(calls).toMatchObject({ withAttachment: 1, toList: 2, refused: 'CONTACT_NOT_FOUND' });
        expect(calls.found.toSorted()).toEqual([1, 2, 3].map((n) => `${prefix}-${n}@example.com`));
        if ('imported' in calls) expect(calls).toMatchObject({ imported: 'string', removed: 1 });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
