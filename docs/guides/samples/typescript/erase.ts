import { Postrider } from '@postrider/sdk';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY ?? '',
  baseUrl: process.env.POSTRIDER_URL ?? '',
});
const to = process.env.TO ?? '';

const person = await postrider.contacts.get({ id: to });
const { events } = await postrider.events.listOfContact({ contactId: to, limit: 500 });
const emails = [];
for await (const email of postrider.sending.listEmails({ recipient: to, limit: 100 })) emails.push(email);
console.log(JSON.stringify({ person, events, emails }));

await postrider.contacts.delete({ id: to });
console.log('erased');
