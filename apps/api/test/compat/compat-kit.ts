import { createSmtpTransport } from '@postrider/core/adapters';
import { configuredRoute, DeliveryRuntime, defaultDeliveryOptions } from '@postrider/core/mail/delivery';
import { simulatorRoute } from '@postrider/core/mail/simulator';
import { createTestProject, type TestProject, verifiedDomain } from '@postrider/core/testing';
import { type Sink, type SinkMessage, startSink } from '@postrider/local/sink';
import PostalMime, { type Email } from 'postal-mime';
import { startApp, type TestApp } from '../harness.ts';

/** A message as it arrived, read by a program that is not ours. */
export interface Arrived extends Email {
  raw: string;
  envelope: string[];
}

export interface CompatStack {
  test: TestApp;
  project: TestProject;
  /** `http://127.0.0.1:port` */
  url: string;
  /** The message for an address, once it has arrived. */
  arrived(address: string): Promise<Arrived>;
  sink: Sink;
  /** Rows that a send would store in the project. */
  stored(): Promise<number>;
  /** a second project, with the same domain of its own */
  other(): Promise<TestProject>;
  close(): Promise<void>;
}

export const domain = 'shop.test';
export const from = `team@${domain}`;

const timeouts = { socketTimeoutMs: 5_000, greetingTimeoutMs: 2_000, idleTimeoutMs: 5_000 };

/** A started service with a project that has a verified domain, and a delivery process that sends to a sink. */
export async function startCompat(env: Record<string, string> = {}): Promise<CompatStack> {
  const sink = await startSink({ keepRaw: true });
  const test = await startApp({ RATE_LIMIT_PER_MINUTE: '100000', ...env });
  const { services, project } = test;
  await verifiedDomain(services, project.id, domain);
  const url = await test.app.listen({ port: 0, host: '127.0.0.1' });
  const delivery = new DeliveryRuntime(
    services,
    [
      configuredRoute(services.config, createSmtpTransport({ url: sink.url, connections: 5, ...timeouts })),
      simulatorRoute(services),
    ],
    { ...defaultDeliveryOptions, pollMs: 100, sendRate: 100_000 },
    {},
  );
  delivery.start();
  return {
    test,
    project,
    url,
    sink,
    async arrived(address) {
      const message = await until(() => sink.byRecipient().get(address)?.[0], address);
      const raw = message.raw ?? '';
      return { ...(await PostalMime.parse(raw)), raw, envelope: message.to };
    },
    async stored() {
      const { rows } = await services.database.durable.query(
        `SELECT (SELECT count(*)::int FROM "Email" WHERE "projectId" = $1) + (SELECT count(*)::int FROM "Contact" WHERE "projectId" = $1)
           + (SELECT count(*)::int FROM "IdempotencyKey" WHERE "projectId" = $1) AS count`,
        [project.id],
      );
      return rows[0].count;
    },
    other: () => createTestProject(services),
    async close() {
      await delivery.stop();
      await test.close();
      await sink.stop();
    },
  };
}

async function until(find: () => SinkMessage | undefined, what: string): Promise<SinkMessage> {
  const end = performance.now() + 20_000;
  for (;;) {
    const found = find();
    if (found) return found;
    if (performance.now() > end) throw new Error(`nothing arrived for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Addresses of a `To`, `Cc` or other field. */
export const addressesIn = (list: Email['to'] | Email['cc']): string[] =>
  (list ?? []).map(({ address }) => address ?? '');
