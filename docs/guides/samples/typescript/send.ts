import { Postrider } from '@postrider/sdk';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY ?? '',
  baseUrl: process.env.POSTRIDER_URL ?? '',
});
const to = process.env.TO ?? '';

const { emails } = await postrider.send({
  to,
  from: 'Demo <hello@mail.demo.example>',
  subject: 'Your order is on its way',
  body: '<p>Hello Ann, order 1001 left our warehouse today.</p>',
});
for (const { email, to, status } of emails) console.log(email, to, status);
