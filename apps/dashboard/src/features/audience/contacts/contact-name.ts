import { nameOf } from '@postrider/core/audience/contacts/contract';
import type { Contact } from '../../../lib/api.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';

/** What a contact is called: by name, or by address where its data has none. */
export const contactName = ({ data, email }: Pick<Contact, 'data' | 'email'>): string =>
  nameOf(data) ?? shownAddress(email);
