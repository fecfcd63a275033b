import { Postrider } from '@postrider/sdk';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY ?? '',
  baseUrl: process.env.POSTRIDER_URL ?? '',
});
const to = process.env.TO ?? '';

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

const { emails } = await postrider.send({
  to,
  from: 'Demo <hello@mail.demo.example>',
  subject: 'Your appointment is tomorrow',
  body: '<p>See you at 10:00.</p>',
  scheduledAt: inHours(1),
});
const id = emails[0]?.email ?? '';

const moved = await postrider.sending.reschedule({ id, scheduledAt: inHours(2) });
console.log(moved.status, moved.scheduledAt);

const cancelled = await postrider.sending.cancel({ id });
console.log(cancelled.status, cancelled.reason);
