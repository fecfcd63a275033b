import { Postrider } from '@postrider/sdk';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY ?? '',
  baseUrl: process.env.POSTRIDER_URL ?? '',
});

// The next page is requested when this one is used up.
for await (const contact of postrider.contacts.list({ subscribed: false, limit: 100 })) {
  console.log(contact.email);
}
