import { Postrider } from '@postrider/sdk';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY ?? '',
  baseUrl: process.env.POSTRIDER_URL ?? '',
});
const to = process.env.TO ?? '';

const { contact, event } = await postrider.track({
  email: to,
  event: 'signed up',
  data: { firstName: 'Ann', plan: 'pro' },
});
console.log(contact, event);
