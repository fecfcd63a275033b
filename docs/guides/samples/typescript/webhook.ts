import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook, WebhookVerificationError } from '@postrider/sdk';

// The secret of the endpoint: whsec_…
const secret = process.env.WEBHOOK_SECRET ?? '';

createServer(async (request, response) => {
  try {
    const event = await verifyWebhook(await text(request), request.headers, secret);
    switch (event.kind) {
      case 'email.bounce':
        console.log('bounced', event.data.contact?.email, event.data.bounceType);
        break;
      case 'email.complaint':
        console.log('complained', event.data.contact?.email);
        break;
      default:
        console.log(event.kind, event.id);
    }
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) console.error(error);
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
}).listen(Number(process.env.PORT ?? 4000), '127.0.0.1');
