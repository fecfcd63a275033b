import { getPublicSuffix } from 'tldts';

/** Services that collect complaints of several mailbox providers and sign what they pass on; nobody else can send under these names. */
const feedbackServices = ['arf.mail.yahoo.com', 'returnpath.net', 'senderscore.net', 'signal-spam.fr'];

/**
 * Whether a signature of this domain speaks for the mailbox provider of a recipient (behaviour B11.7): the domain is one of its hosts, or a
 * parent of one that is no public suffix; or it is a service that collects complaints.
 *
 * @param hosts the domain of the recipient and the hosts in its MX records
 */
export function speaksFor(domain: string, hosts: readonly string[]): boolean {
  if (feedbackServices.some((service) => isWithin(domain, service))) return true;
  if (!hosts.some((host) => isWithin(nameOf(host), domain))) return false;
  // Anybody can have a name below a public suffix, which may also be one of several labels, such as co.uk.
  return domain.includes('.') && getPublicSuffix(domain, { allowPrivateDomains: true }) !== domain;
}

const isWithin = (name: string, parent: string): boolean => name === parent || name.endsWith(`.${parent}`);

const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, '');
