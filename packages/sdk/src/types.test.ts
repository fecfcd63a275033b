import { expectTypeOf, it } from 'vitest';
import { type Contact, type Listing, type operations, Postrider, type Template } from './index.ts';

const client = new Postrider({ apiKey: 'sk_test', baseUrl: 'http://localhost' });

it('the methods have the types of the contract', () => {
  expectTypeOf(client.contacts.get).parameter(0).toEqualTypeOf<{ id: string }>();
  expectTypeOf(client.contacts.list).returns.toEqualTypeOf<Listing<typeof operations.contactsList>>();
  expectTypeOf<Awaited<ReturnType<typeof client.contacts.list>>['data']>().toEqualTypeOf<Contact[]>();
  expectTypeOf<Awaited<ReturnType<typeof client.templates.create>>>().toEqualTypeOf<Template>();
  expectTypeOf<Awaited<ReturnType<typeof client.templates.delete>>>().toEqualTypeOf<void>();
});
