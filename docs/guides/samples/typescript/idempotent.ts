import { Postrider } from '@postrider/sdk';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY ?? '',
  baseUrl: process.env.POSTRIDER_URL ?? '',
});
const to = process.env.TO ?? '';

const welcome = {
  to,
  from: 'Demo <hello@mail.demo.example>',
  subject: 'Welcome',
  body: '<p>Good to have you here.</p>',
};
const idempotencyKey = `welcome/${to}`;

const first = await postrider.send(welcome, { idempotencyKey });
console.log(first.repeated, first.emails[0]?.email);

// The job runs again, perhaps on another machine: nothing is sent, and the result is the first one.
const second = await postrider.send(welcome, { idempotencyKey });
console.log(second.repeated, second.emails[0]?.email);
