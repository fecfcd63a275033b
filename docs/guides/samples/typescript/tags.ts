import { Postrider } from '@postrider/sdk';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY ?? '',
  baseUrl: process.env.POSTRIDER_URL ?? '',
});
const to = process.env.TO ?? '';

await postrider.send({
  to,
  from: 'Demo <hello@mail.demo.example>',
  subject: 'Receipt for order 1001',
  body: '<p>Thank you for your order.</p>',
  tags: ['receipt'],
  metadata: { orderId: 1001 },
});

const receipts = postrider.sending.listEmails({ recipient: to, tag: 'receipt', metadata: 'orderId:1001' });
for await (const email of receipts) console.log(email.id, email.tags, email.metadata);
