import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { type VerifiedWebhook, verifyWebhook, WebhookVerificationError } from '@postrider/sdk';

/**
 * Receives webhooks with `node:http`. Deliveries may arrive more than once: their `id` stays the same.
 *
 * POSTRIDER_WEBHOOK_SECRET=whsec_… node webhook-receiver.ts
 */
export function createReceiver(secret: string, handle: (event: VerifiedWebhook) => void): Server {
  return createServer(async (request, response) => {
    try {
      handle(await verifyWebhook(await text(request), request.headers, secret));
      response.writeHead(204).end();
    } catch (error) {
      const known = error instanceof WebhookVerificationError;
      if (!known) console.error(error);
      response.writeHead(known ? 400 : 500).end();
    }
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const secret = process.env['POSTRIDER_WEBHOOK_SECRET'] ?? '';
  createReceiver(secret, ({ id, type }) => console.log(id, type)).listen(3000, '127.0.0.1');
}
