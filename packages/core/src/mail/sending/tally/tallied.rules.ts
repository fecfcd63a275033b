/** Filters that tallies do not know. */
type Further = Partial<
  Record<
    | 'class'
    | 'contactId'
    | 'recipient'
    | 'campaignId'
    | 'templateId'
    | 'sharedMessageId'
    | 'tag'
    | 'ids'
    | 'search',
    unknown
  >
>;

/** Whether a search asks for nothing that tallies do not know. */
export const isTallied = (search: Further & { sort: string }): boolean =>
  search.sort === 'createdAt' &&
  [
    search.class,
    search.contactId,
    search.recipient,
    search.campaignId,
    search.templateId,
    search.sharedMessageId,
    search.tag,
    search.ids,
    search.search,
  ].every((given) => given === undefined);
