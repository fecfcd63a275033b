import { Postrider } from '@postrider/sdk';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY ?? '',
  baseUrl: process.env.POSTRIDER_URL ?? '',
});
const to = process.env.TO ?? '';

const { emails } = await postrider.send({
  to: { email: to, name: 'Ann' },
  template: 'receipt',
  strictVariables: true,
  data: {
    order: { value: '1001', persistent: false },
    total: { value: '12.00 EUR', persistent: false },
  },
});
console.log(emails[0]?.email);
