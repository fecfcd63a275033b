import type { CoreConfig } from '../base/kernel/config.ts';
import type { HandedOver, Inspections } from '../base/kernel/ports/inspections.ts';
import type { HandOver } from '../base/kernel/ports/mail-transport.ts';
import { newId } from '../base/lib/index.ts';
import { sesRegionOf } from '../base/providers/index.ts';
import { s3OptionsOf } from './files/create-files.ts';
import { createMailTransport } from './mail-transport.ts';
import { countSmtpConnections, inspectSmtp } from './smtp/inspect-server.ts';

/** Looks at the servers of an installation, each with what its configuration says. */
export const createInspections = (config: CoreConfig): Inspections => ({
  smtp: (signal) => inspectSmtp(config.SMTP_URL, signal),
  smtpConnections: (most, signal) => countSmtpConnections(config.SMTP_URL, most, signal),
  send: (to) => sendOne(config, to),
  async temporal(schedules) {
    const { inspectTemporal } = await import('./temporal/inspect-temporal.ts');
    const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, TEMPORAL_API_KEY: apiKey } = config;
    return inspectTemporal({ address, namespace, apiKey }, schedules);
  },
  async ses() {
    const { inspectSes } = await import('./ses/index.ts');
    return inspectSes(sesRegionOf(config));
  },
  async bucket() {
    const location = s3OptionsOf(config);
    if (location === null) return null;
    const { inspectBucket } = await import('./files/inspect-bucket.ts');
    return inspectBucket(location);
  },
});

/** One message, by the transport of deliveries. It is not signed, and no record is kept of it. */
async function sendOne(config: CoreConfig, to: string): Promise<HandedOver> {
  const transport = await createMailTransport(config, { connections: 1, processes: 1 });
  const { promise, resolve } = Promise.withResolvers<HandOver>();
  const from = addressIn(config.PLATFORM_FROM);
  let isTaken = false;
  transport.serve(() => {
    if (isTaken) return null;
    isTaken = true;
    return {
      envelope: { from, to },
      data: messageOf(config.PLATFORM_FROM, to),
      begin: (granted) => granted(true),
      ended: resolve,
    };
  });
  transport.wake();
  const result = await promise;
  await transport.close();
  if (result.kind === 'accepted') return { isAccepted: true, response: result.response };
  const response = 'response' in result ? result.response : 'error' in result ? result.error : result.kind;
  return { isAccepted: false, response };
}

const addressIn = (sender: string): string => /<([^<>]+)>/.exec(sender)?.[1] ?? sender.trim();

const messageOf = (from: string, to: string): Buffer =>
  Buffer.from(
    [
      `From: ${from}`,
      `To: <${to}>`,
      'Subject: Test of the mail server',
      `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
      `Message-ID: <${newId()}@${addressIn(from).split('@')[1]}>`,
      'Auto-Submitted: auto-generated',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'The operator of this installation asked for this email with: npm run admin -- doctor --send',
      '',
    ].join('\r\n'),
  );
