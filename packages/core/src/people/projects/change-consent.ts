import type { SqlDb } from '../../base/db/index.ts';
import { conflict, invalid, suggestions } from '../../base/kernel/index.ts';
import { holdsConfirmUrl } from './confirm-url.rules.ts';
import { type ConsentChange, type ConsentSettings, consentSettingsOf } from './consent-settings.schema.ts';
import {
  findAskingTemplate,
  findOpenForms,
  lockConsentSettings,
  saveConsentSettings,
} from './consent-settings.store.ts';

/**
 * Merges a change into what a project says about consent, whose row stays locked.
 *
 * @throws AppError VALIDATION_ERROR for a template that cannot ask for a confirmation, or `CONFIRM` without a sender; CONFLICT when the sender
 *   would be removed while it is needed
 */
export async function changeConsent(db: SqlDb, projectId: string, change: ConsentChange): Promise<void> {
  const before = await lockConsentSettings(db, projectId);
  const given = Object.fromEntries(
    Object.entries(change).flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])),
  );
  const after: ConsentSettings = consentSettingsOf(
    Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== null)),
  );
  if (after.confirmation === null) await assertNotNeeded(db, projectId, change, after);
  if (change.confirmation?.templateId) await assertAsks(db, projectId, change.confirmation.templateId);
  await saveConsentSettings(db, projectId, after);
}

async function assertNotNeeded(
  db: SqlDb,
  projectId: string,
  change: ConsentChange,
  after: ConsentSettings,
): Promise<void> {
  if (change.publicSubscriptions === 'CONFIRM') {
    throw invalid([
      {
        field: 'consent.publicSubscriptions',
        code: 'custom',
        message: 'CONFIRM needs a sender: set consent.confirmation',
      },
    ]);
  }
  if (change.confirmation !== null) return;
  const forms = await findOpenForms(db, projectId);
  if (forms.length === 0 && after.publicSubscriptions !== 'CONFIRM') return;
  throw conflict('Enabled forms, or subscriptions with a public key, are confirmed by this sender', {
    details: { forms },
    suggestion: suggestions.CONFLICT.confirmationNeeded,
  });
}

async function assertAsks(db: SqlDb, projectId: string, templateId: string): Promise<void> {
  const template = await findAskingTemplate(db, projectId, templateId);
  const refuse = (message: string) =>
    invalid([{ field: 'consent.confirmation.templateId', code: 'custom', message }]);
  if (!template) throw refuse('The project has no such template');
  if (template.type !== 'TRANSACTIONAL') throw refuse('The template must be TRANSACTIONAL');
  if (!holdsConfirmUrl(template)) throw refuse('The template must contain {{confirmUrl}}');
}
