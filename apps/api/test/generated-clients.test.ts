import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webhookBodies, webhookEvent } from '@postrider/core/insight/webhook-endpoints/contract';
import { verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleOf } from '../src/rest/openapi/example.ts';
import { SchemaWriter } from '../src/rest/openapi/json-schema.ts';
import { generators, sdks } from './gate/generators.ts';
import { startApp, type TestApp } from './harness.ts';

/**
 * Clients that generators by other people make from `/openapi.json` compile unedited, call the running app and read every kind of webhooks.
 * `npm run gate` runs all of them, `npm test` those that take seconds.
 */

/** Time limit of a generator on a busy machine, including its first installation. */
const patience = 600_000;
const isGate = process.env['GATE'] !== undefined;
const isChosen = ({ name, fast }: { name: string; fast: boolean }): boolean =>
  isGate ? name.includes(process.env['GATE'] ?? '') : fast;
const chosen = generators.filter(isChosen);

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

describe.runIf(chosen.length > 0)(
  'a generated client compiles, and those with a program send, read a list and an error, and read all webhooks',
  () => {
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
  },
);

/** As the service signs them, by Standard Webhooks and for a WEBHOOK step. */
const secret = `whsec_${Buffer.from('a secret of the endpoint, 32 byte').toString('base64')}`;
function signedWebhook(payload: object): object {
  const body = JSON.stringify(payload);
  const seconds = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`msg_1.${seconds}.${body}`)
    .digest('base64');
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
  return { body, headers, secret };
}
function signedStep(body: string): object {
  const seconds = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  const headers = { 'x-postrider-delivery': 'd-1', 'x-postrider-signature': `t=${seconds},v1=${signature}` };
  return { body, headers, secret };
}

describe.runIf(sdks.some(isChosen))(
  'an SDK sends once, reads lists and errors, and verifies all webhooks',
  () => {
    it.each(sdks.filter(isChosen).map((sdk, index) => [sdk.name, sdk, `sdk${index}x`] as const))(
      '%s',
      { timeout: patience },
      async (_name, sdk, prefix) => {
        const folder = await mkdtemp(join(tmpdir(), 'sdk-'));
        try {
          const [webhooks, step] = [join(folder, 'webhooks.json'), join(folder, 'step.json')];
          await writeFile(webhooks, JSON.stringify(payloads().map(signedWebhook)));
          await writeFile(step, JSON.stringify(signedStep('{"plan":"pro"}')));
          const printed = await sdk.run(folder, [base, test.project.secretKey, prefix, webhooks, step]);
          const { kinds, found, ...calls } = JSON.parse(printed ?? '');
          expect(kinds).toEqual(webhookBodies.map(({ kind }) => kind));
          const sentTo = [1, 2, 3].map((n) => `${prefix}-${n}@example.com`);
          expect(found.toSorted()).toEqual(sentTo);
          expect(calls).toEqual({
            withAttachment: 1,
            toList: 2,
            iterated: sentTo,
            refused: 'CONTACT_NOT_FOUND',
            requestId: true,
            step: { plan: 'pro' },
            imported: 'string',
            removed: 1,
          });
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
    );
  },
);
