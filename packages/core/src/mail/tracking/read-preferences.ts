import { statusOf } from '../../audience/consent/index.ts';
import { textIn } from '../../audience/topics/topics.rules.ts';
import type { Services } from '../../base/kernel/index.ts';
import { timeOf } from '../../base/lib/index.ts';
import { showProject } from '../../people/projects/index.ts';
import { decodeLink } from '../message/index.ts';
import { selectLanguage } from '../sending/index.ts';
import { wasLost } from './lost-subscriptions.store.ts';
import {
  type ErasedRow,
  findErased,
  findMergedInto,
  findPreferences,
  findTestRecipient,
  type PreferencesRow,
} from './preferences.store.ts';
import type { ContactPreferences, Preferences } from './tracking.schema.ts';

interface ContactOfLink {
  kind: 'contact';
  projectId: string;
  /** null behind the inert link of a test email */
  contactId: string | null;
  emailId: string | null;
  row: PreferencesRow;
  preferences: ContactPreferences;
}

interface ErasedOfLink {
  kind: 'erased';
  contactId: string;
  preferences: Extract<Preferences, { kind: 'erased' }>;
}

interface LostOfLink {
  kind: 'lost';
  contactId: string;
  preferences: Extract<Preferences, { kind: 'lost' }>;
}

/** Who a public link belongs to; null for an invalid token, and for a contact that nobody knows any more. */
export async function readPreferences(
  services: Services,
  token: string,
): Promise<ContactOfLink | ErasedOfLink | LostOfLink | null> {
  const { durable } = services.database;
  const link = decodeLink(services.secrets, token);
  if (link?.kind !== 'preferences') return null;
  const { emailId } = link;
  const ownerOf = (contactId: string | null, row: PreferencesRow | null): ContactOfLink | null =>
    row && {
      kind: 'contact',
      projectId: row.projectId,
      contactId,
      emailId,
      row,
      preferences: presentContact(row, contactId === null),
    };
  if (link.contactId === null)
    return emailId === null ? null : ownerOf(null, await findTestRecipient(durable, emailId));
  const owner = ownerOf(link.contactId, await findPreferences(durable, link.contactId, emailId));
  if (owner) return owner;
  const merged = await findMergedInto(durable, link.contactId);
  if (merged !== null) {
    const present = ownerOf(merged, await findPreferences(durable, merged, emailId));
    if (present) return present;
  }
  for (const contactId of [link.contactId, merged]) {
    const erased = contactId === null ? null : await findErased(durable, contactId);
    if (erased && contactId !== null)
      return { kind: 'erased', contactId, preferences: presentErased(erased) };
  }
  return (await wasLost(durable, timeOf(link.contactId)))
    ? { kind: 'lost', contactId: link.contactId, preferences: { kind: 'lost' } }
    : null;
}

const projectOf = ({ projectName: name, brand, consent }: PreferencesRow | ErasedRow) =>
  showProject({ name, brand, consent });

const presentErased = (row: ErasedRow): Extract<Preferences, { kind: 'erased' }> => ({
  kind: 'erased',
  language: selectLanguage(row.projectLanguage),
  project: projectOf(row),
});

function presentContact(row: PreferencesRow, inert: boolean): ContactPreferences {
  const language = selectLanguage(row.locale, row.projectLanguage);
  const inWords = (texts: Parameters<typeof textIn>[0]): string =>
    textIn(texts, language, row.projectLanguage);
  const { emailTopic } = row;
  return {
    kind: 'contact',
    email: row.email,
    status: statusOf(row),
    snoozedUntil: row.snoozedUntil,
    topics: row.topics.map(({ key, name, description, wanted }) => ({
      key,
      name: inWords(name),
      description: description && inWords(description),
      wanted,
    })),
    // Nobody is shown a topic that is not offered.
    emailTopic: emailTopic?.isPublic ? { key: emailTopic.key, name: inWords(emailTopic.name) } : null,
    language,
    project: projectOf(row),
    inert,
  };
}
