import {
  bulkDeleteContacts,
  bulkInput,
  bulkSubscribeContacts,
  bulkTopicsInput,
  bulkTopicsOfContacts,
  bulkUnsubscribeContacts,
  bulkUpdateContacts,
  defineContactField,
  deleteContact,
  deleteContactField,
  getContact,
  getContactBulkJob,
  getContactFieldUsage,
  getContactImport,
  listContactFields,
  listContactFieldValues,
  listContactImports,
  lookupContacts,
  lookupLimit,
  openFailedRows,
  updateContact,
  upsertContact,
  verifyAddress,
} from '@postrider/core/audience/contacts';
import { bulkAddToSegment, listContacts } from '@postrider/core/audience/segments';
import { previewContactLimits } from '@postrider/core/mail/sending';
import { mountContactImport } from './contact-import.routes.ts';
import type { RestDoor } from './door.ts';
import { missing } from './flat.ts';
import { mountJobFile } from './job-file.ts';
import { mount } from './mount.ts';

export function mountContacts(door: RestDoor): void {
  mount(door, 'POST', '/v1/verify', verifyAddress, { envelope: true });
  mount(door, 'GET', '/contacts', listContacts);
  mount(door, 'POST', '/contacts', upsertContact, {
    flat: missing('email'),
    status: { all: [201, 200], of: ({ _meta }) => (_meta.isNew ? 201 : 200) },
  });
  mount(door, 'GET', '/contacts/:id', getContact);
  mount(door, 'PATCH', '/contacts/:id', updateContact);
  mount(door, 'DELETE', '/contacts/:id', deleteContact, { status: 204 });
  mount(door, 'POST', '/contacts/limits/preview', previewContactLimits);
  mount(door, 'POST', '/contacts/lookup', lookupContacts, { flat: lookupComplaint });

  mount(door, 'GET', '/contacts/fields', listContactFields);
  mount(door, 'GET', '/contacts/fields/:field/values', listContactFieldValues);
  mount(door, 'GET', '/contacts/fields/:field/usage', getContactFieldUsage);
  mount(door, 'PUT', '/contacts/fields/:field', defineContactField);
  mount(door, 'DELETE', '/contacts/fields/:field', deleteContactField);

  mountContactImport(door);
  mount(door, 'GET', '/contacts/imports', listContactImports);
  mount(door, 'GET', '/contacts/import/:jobId', getContactImport);
  mountJobFile(door, {
    path: '/contacts/import/:jobId/failed-rows',
    name: 'contacts.importFailedRows',
    summary: 'Returns the rows that an import did not take as CSV, each with the reason',
    operation: getContactImport,
    open: openFailedRows,
  });
  const selected = { status: 202, flat: complaintOf(bulkInput) } as const;
  for (const [path, operation] of [
    ['/contacts/bulk-subscribe', bulkSubscribeContacts],
    ['/contacts/bulk-unsubscribe', bulkUnsubscribeContacts],
  ] as const)
    mount(door, 'POST', path, operation, selected);
  mount(door, 'POST', '/contacts/bulk-delete', bulkDeleteContacts, selected);
  mount(door, 'POST', '/contacts/bulk-update', bulkUpdateContacts, selected);
  mount(door, 'POST', '/contacts/bulk-add-to-segment', bulkAddToSegment, selected);
  mount(door, 'POST', '/contacts/bulk-topics', bulkTopicsOfContacts, {
    status: 202,
    flat: complaintOf(bulkTopicsInput),
  });
  mount(door, 'GET', '/contacts/bulk/:jobId', getContactBulkJob);
}

/** More than any list of ids may have; the schema has the exact limits. */
const longestIdList = 10_000;

const lookupComplaint = ({ emails, externalIds }: Record<string, unknown>): string | null => {
  const given = [emails, externalIds].filter((list) => list !== undefined && list !== null);
  const count = given.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
  if (given.every(Array.isArray) && count > 0 && count <= lookupLimit) return null;
  return `emails must be an array of 1 to ${lookupLimit} addresses, together with externalIds`;
};

const complaintOf =
  (schema: typeof bulkInput | typeof bulkTopicsInput) =>
  (input: Record<string, unknown>): string | null => {
    // Checked first: the schema would report an error for each of a million elements.
    for (const name of ['contactIds', 'excludeIds']) {
      const list = input[name];
      if (Array.isArray(list) && list.length > longestIdList) return `${name}: at most ${longestIdList} ids`;
    }
    const [issue] = schema.safeParse(input).error?.issues ?? [];
    return issue ? [issue.path.join('.'), issue.message].filter((part) => part !== '').join(': ') : null;
  };
