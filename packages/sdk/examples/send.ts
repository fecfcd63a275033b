import { pathToFileURL } from 'node:url';
import { Postrider } from '@postrider/sdk';

/**
 * Sends one email.
 *
 * POSTRIDER_URL=http://localhost:4000 POSTRIDER_KEY=sk_… node send.ts hello@your-domain.example reader@example.com
 */
export async function sendWelcome(postrider: Postrider, from: string, to: string): Promise<string> {
  const { emails } = await postrider.send({
    from: { name: 'Example', email: from },
    to,
    subject: 'Welcome, {{name ?? there}}',
    body: '<p>Good to have you here.</p>',
    data: { name: 'Ada' },
  });
  return emails[0]?.email ?? 'accepted; its id was in an answer that was lost';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { POSTRIDER_URL = 'http://localhost:4000', POSTRIDER_KEY = '' } = process.env;
  const [from = '', to = ''] = process.argv.slice(2);
  const postrider = new Postrider({ apiKey: POSTRIDER_KEY, baseUrl: POSTRIDER_URL });
  console.log(await sendWelcome(postrider, from, to));
}
