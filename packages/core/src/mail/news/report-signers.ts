import { getPublicSuffix } from 'tldts';

/**
 * Domains with which services sign the complaints that they pass on for several mailbox providers. A wrong one would let a stranger disable
 * projects, so each has a source, and only the very domain counts: names below it may have been given to somebody else.
 */
const feedbackServices: ReadonlySet<string> = new Set([
  // Yahoo and AOL: "Yahoo Sender Hub" FAQ on the format of its reports, https://senders.yahooinc.com/faqs/, and, naming the domain as that of
  // the signature, https://dmarcpal.com/learn/yahoo-complaint-feedback-loop-setup-arf-handling
  'arf.mail.yahoo.com',
  // Validity, formerly Return Path: a published report of its service for Yandex (18 May 2020, from feedbackloop@yandexfbl.senderscore.net)
  // is signed with d=senderscore.net. That signature did not cover Content-Type, without which no report is proven.
  'senderscore.net',
]);

/**
 * Whether a signature of this domain speaks for the mailbox provider of a recipient (behaviour B11.7): the domain is one of its hosts, or a
 * parent of one that is no public suffix; or it is a service that collects complaints.
 *
 * @param hosts the domain of the recipient and the hosts in its MX records
 */
export function speaksFor(domain: string, hosts: readonly string[]): boolean {
  if (isFeedbackService(domain)) return true;
  if (!hosts.some((host) => isWithin(nameOf(host), domain))) return false;
  // Anybody can have a name below a public suffix, which may also be one of several labels, such as co.uk.
  return domain.includes('.') && getPublicSuffix(domain, { allowPrivateDomains: true }) !== domain;
}

/** Whether a signature of this domain is that of a service that passes complaints on. */
export const isFeedbackService = (domain: string): boolean => feedbackServices.has(domain);

const isWithin = (name: string, parent: string): boolean => name === parent || name.endsWith(`.${parent}`);

const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, '');
