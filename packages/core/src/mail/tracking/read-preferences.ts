import type { z } from 'zod';
import type { Services } from '../../base/kernel/index.ts';
import { showProject } from '../../people/projects/index.ts';
import { decodeLink } from '../message/index.ts';
import { selectLanguage } from '../sending/index.ts';
import {
  findMergedInto,
  findPreferences,
  findTestRecipient,
  type PreferencesRow,
} from './preferences.store.ts';
import type { preferences } from './tracking.schema.ts';

interface PreferencesOwner {
  projectId: string;
  /** null behind the inert link of a test email */
  contactId: string | null;
  emailId: string | null;
  preferences: z.input<typeof preferences>;
}

/** The contact that a public link belongs to; null for an invalid token or a deleted contact. */
export async function readPreferences(services: Services, token: string): Promise<PreferencesOwner | null> {
  const { durable } = services.database;
  const link = decodeLink(services.secrets, token);
  if (link?.kind !== 'preferences') return null;
  const { emailId } = link;
  const ownerOf = (contactId: string | null, row: PreferencesRow | null): PreferencesOwner | null =>
    row && { projectId: row.projectId, contactId, emailId, preferences: present(row, contactId === null) };
  if (link.contactId === null)
    return emailId === null ? null : ownerOf(null, await findTestRecipient(durable, emailId));
  const owner = ownerOf(link.contactId, await findPreferences(durable, link.contactId));
  if (owner) return owner;
  const merged = await findMergedInto(durable, link.contactId);
  return merged === null ? null : ownerOf(merged, await findPreferences(durable, merged));
}

const present = (
  { projectId: _, projectName: name, projectLanguage, brand, ...row }: PreferencesRow,
  inert: boolean,
): z.input<typeof preferences> => ({
  ...row,
  project: showProject({ name, brand }),
  language: selectLanguage(row.locale, projectLanguage),
  inert,
});
