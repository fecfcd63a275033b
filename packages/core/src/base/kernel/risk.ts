/**
 * What an operation that changes something can do beyond the records it names (behaviour B15.11): nothing that leaves (`none`), email
 * (`mail`), events that workflows may wait for (`events`), deletions, bulk changes and copies of data (`large`), or changes of who may do what and
 * who pays (`closed`).
 */
export type Risk = 'none' | 'mail' | 'events' | 'large' | 'closed';
