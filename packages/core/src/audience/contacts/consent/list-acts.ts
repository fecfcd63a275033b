import { cursorsOf, projectOf, query } from '../../../base/kernel/index.ts';
import { periodOf } from '../../../base/lib/index.ts';
import { countActs, findActs, presentAct, seesClients } from '../../consent/index.ts';
import { findContactId } from '../contacts.store.ts';
import { contactNotFound } from '../get-contact.ts';
import { actsOutput, listActsInput } from './consent-log.schema.ts';

/** Acts are counted up to this number. */
const countTo = 10_000;

export const listConsentActs = query({
  name: 'consent.list',
  summary: 'Lists consent acts, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'CONTACT_NOT_FOUND'],
  input: listActsInput,
  output: actsOutput,
  async handler(ctx, input) {
    const { id: projectId, timeZone } = projectOf(ctx);
    const { contactId: reference, email, action, source, effect } = input;
    const contactId = reference && (await findContactId(ctx.db, projectId, reference));
    if (contactId === null) throw contactNotFound();
    // The log outlives its contacts, whose acts are found by the hash of their address.
    const address =
      email === undefined
        ? undefined
        : {
            hash: Uint8Array.from(ctx.services.secrets.addressHash(projectId, email)),
            contactId: await findContactId(ctx.db, projectId, { by: 'email', value: email }),
          };
    const cursors = cursorsOf('consent.list', input);
    const after = cursors.after('text');
    const search = {
      ...{ projectId, contactId, address, action, source, effect },
      ...periodOf(input, timeZone, 'excluded'),
    };
    const [rows, total] = await Promise.all([
      findActs(ctx.db, search, after, input.limit + 1),
      after ? 0 : countActs(ctx.db, search, countTo),
    ]);
    const isOpen = seesClients(ctx);
    // The id of an act is its place in the order.
    return cursors.page(
      rows.map((row) => presentAct(row, isOpen)),
      () => '',
      total,
    );
  },
});
