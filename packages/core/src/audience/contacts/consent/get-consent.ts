import { projectOf, query } from '../../../base/kernel/index.ts';
import { contactStatus, findConsent } from '../../consent/index.ts';
import { findContactId } from '../contacts.store.ts';
import { contactNotFound } from '../get-contact.ts';
import { consentOfContactInput, consentStateOutput } from './consent-log.schema.ts';

export const getConsent = query({
  name: 'consent.get',
  summary: 'Returns what a contact receives, and why',
  permission: 'data:read',
  errors: ['CONTACT_NOT_FOUND'],
  input: consentOfContactInput,
  output: consentStateOutput,
  async handler(ctx, { id: reference }) {
    const { id: projectId, language } = projectOf(ctx);
    const id = await findContactId(ctx.db, projectId, reference);
    const found = id === null ? null : await findConsent(ctx.db, projectId, id, contactStatus);
    if (!found) throw contactNotFound();
    const { topics, ...state } = found;
    return {
      ...state,
      topics: topics.map(({ names, ...topic }) => ({
        ...topic,
        name: names[language] ?? Object.values(names)[0] ?? topic.key,
      })),
    };
  },
});
