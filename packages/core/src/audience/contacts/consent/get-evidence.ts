import { projectIdOf, projectOf, query } from '../../../base/kernel/index.ts';
import { findAllActs, findConfirmations, presentAct } from '../../consent/index.ts';
import { findContact } from '../contacts.store.ts';
import { contactNotFound } from '../get-contact.ts';
import { evidenceInput, evidenceOutput } from './consent-log.schema.ts';
import { evidencePage } from './evidence-page.ts';

export const getConsentEvidence = query({
  name: 'consent.evidence',
  summary: 'Returns everything that proves what a contact agreed to',
  permission: 'privacy:manage',
  errors: ['CONTACT_NOT_FOUND'],
  input: evidenceInput,
  output: evidenceOutput,
  async handler(ctx, { id: reference, format }) {
    const projectId = projectIdOf(ctx);
    const contact = await findContact(ctx.db, projectId, reference);
    if (!contact) throw contactNotFound();
    const [acts, emails] = await Promise.all([
      findAllActs(ctx.db, projectId, contact.id),
      findConfirmations(ctx.db, projectId, contact.id),
    ]);
    const evidence = {
      contactId: contact.id,
      email: contact.email,
      status: contact.status,
      createdAt: new Date(),
      acts: acts.map((row) => presentAct(row, true)),
      emails,
    };
    return { ...evidence, html: format === 'html' ? evidencePage(evidence, projectOf(ctx).name) : null };
  },
});
