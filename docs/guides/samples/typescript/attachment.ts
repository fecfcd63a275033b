import { Postrider } from '@postrider/sdk';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY ?? '',
  baseUrl: process.env.POSTRIDER_URL ?? '',
});
const to = process.env.TO ?? '';

// For a file on the disk: readFileSync('orders.csv', 'base64')
const content = Buffer.from('order,total\n1001,12.00\n').toString('base64');

const { emails } = await postrider.send({
  to,
  from: 'Demo <hello@mail.demo.example>',
  subject: 'Your orders of this month',
  body: '<p>The list is attached.</p>',
  attachments: [{ filename: 'orders.csv', content }],
});
console.log(emails[0]?.email);
