import { Postrider } from '@postrider/sdk';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY ?? '',
  baseUrl: process.env.POSTRIDER_URL ?? '',
});
const to = process.env.TO ?? '';

const externalId = `user-${to}`; // the id of this person in your own database

const contact = await postrider.contacts.upsert({ email: to, externalId, data: { plan: 'free' } });
console.log(contact._meta.isNew ? 'created' : 'updated');

await postrider.contacts.update({ id: `ext:${externalId}`, data: { plan: 'pro' } });

const found = await postrider.contacts.get({ id: `ext:${externalId}` });
console.log(found.email, found.data.plan, found.subscribed);
