import type { SearchableType } from '@postrider/core/insight/search/contract';
import type { Command, CommandGroup } from '../ui/command.tsx';
import type { IconName } from '../ui/icon.tsx';
import { picturedText } from '../ui/mail-picture.rules.ts';

/** An entry that a search also finds by other words than its label. */
export interface Findable extends Command {
  words?: string | undefined;
}

/** Entries that contain every word of the text, in any case; those whose label begins with the text come first. */
export function matchingCommands<Item extends Findable>(items: readonly Item[], text: string): Item[] {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/).filter(Boolean);
  const found = items.filter(({ label, words: others = '' }) => {
    const all = `${label} ${others}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const begins = ({ label }: Item) => label.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((item) => !begins(item))];
}

interface FoundRecord {
  type: SearchableType;
  id: string;
  title: string;
  detail: string | null;
}

const kinds: Record<SearchableType, { label: string; page: string; icon: IconName }> = {
  contact: { label: 'Contacts', page: 'contacts', icon: 'person' },
  campaign: { label: 'Campaigns', page: 'campaigns', icon: 'campaign' },
  template: { label: 'Templates', page: 'templates', icon: 'template' },
  workflow: { label: 'Workflows', page: 'workflows', icon: 'workflow' },
  segment: { label: 'Segments', page: 'segments', icon: 'segment' },
  email: { label: 'Emails', page: 'emails', icon: 'mail' },
};

/** People are called by their names, where they have one; the details of emails and templates are their subjects. */
function wordsOf(
  type: SearchableType,
  title: string,
  detail: string | null,
): Pick<Command, 'label' | 'detail'> {
  if (type === 'contact' && detail !== null) return { label: detail, detail: title };
  if (type === 'campaign') return { label: title, detail: detail?.toLowerCase() };
  return { label: title, detail: detail === null ? undefined : picturedText(detail) };
}

/** The records that a search found, one group for each type. @param to the path of a page of the project */
export function recordGroups(records: readonly FoundRecord[], to: (page: string) => string): CommandGroup[] {
  const types = [...new Set(records.map(({ type }) => type))];
  return types.map((type) => ({
    label: kinds[type].label,
    items: records
      .filter((record) => record.type === type)
      .map(({ id, title, detail }) => ({
        id: `${type}.${id}`,
        icon: kinds[type].icon,
        ...wordsOf(type, title, detail),
        to: to(`${kinds[type].page}/${id}`),
      })),
  }));
}
