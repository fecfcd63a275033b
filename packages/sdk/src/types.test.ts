import { expectTypeOf, it } from 'vitest';
import {
  type Contact,
  type Listing,
  type operations,
  Postrider,
  type Template,
  type VerifiedWebhook,
} from './index.ts';

const client = new Postrider({ apiKey: 'sk_test', baseUrl: 'http://localhost' });

it('the methods have the types of the contract', () => {
  expectTypeOf(client.contacts.get).parameter(0).toEqualTypeOf<{ id: string }>();
  expectTypeOf(client.contacts.list).returns.toEqualTypeOf<Listing<typeof operations.contactsList>>();
  expectTypeOf<Awaited<ReturnType<typeof client.contacts.list>>['data']>().toEqualTypeOf<Contact[]>();
  expectTypeOf<Awaited<ReturnType<typeof client.templates.create>>>().toEqualTypeOf<Template>();
  expectTypeOf<Awaited<ReturnType<typeof client.templates.delete>>>().toEqualTypeOf<void>();
});

it('the kind of a webhook tells the type of its data', () => {
  type Bounce = Extract<VerifiedWebhook, { kind: 'email.bounce' }>;
  expectTypeOf<Bounce['data']['bounceType']>().toEqualTypeOf<'Permanent' | 'Transient' | 'Undetermined'>();
  expectTypeOf<Bounce['data']['contact']>().toEqualTypeOf<{ id: string; email: string } | null>();
  expectTypeOf<Extract<VerifiedWebhook, { kind: 'event' }>['type']>().toEqualTypeOf<string>();
});
