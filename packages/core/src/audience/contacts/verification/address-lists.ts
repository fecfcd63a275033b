import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Disposable and free mailbox providers, from maintained lists. */
const loadList = (name: string): Set<string> => new Set<string>(require(name) as string[]);

/** 120,000 names, loaded when the first address is verified; workers never need them. */
let disposable: Set<string> | undefined;
const disposableDomains = (): Set<string> => {
  disposable ??= loadList('disposable-email-domains');
  return disposable;
};
const free = loadList('email-providers/common.json');

/** Services that provide forwarding addresses. */
const forwarding = new Set([
  '33mail.com',
  'addy.io',
  'anonaddy.com',
  'anonaddy.me',
  'duck.com',
  'erine.email',
  'mozmail.com',
  'passmail.com',
  'passmail.net',
  'privaterelay.appleid.com',
  'relay.firefox.com',
  'simplelogin.co',
  'simplelogin.com',
  'simplelogin.fr',
  'slmail.me',
  'slmails.com',
  '8alias.com',
  '8shield.net',
  'aleeas.com',
]);

/** Providers whose names are often mistyped. */
export const wellKnownProviders = [
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'yahoo.co.uk',
  'yahoo.fr',
  'hotmail.com',
  'hotmail.co.uk',
  'hotmail.fr',
  'outlook.com',
  'live.com',
  'msn.com',
  'icloud.com',
  'me.com',
  'aol.com',
  'proton.me',
  'protonmail.com',
  'fastmail.com',
  'gmx.com',
  'gmx.de',
  'gmx.net',
  'web.de',
  'mail.com',
  'yandex.com',
  'yandex.ru',
  'mail.ru',
  'zoho.com',
  'comcast.net',
  'orange.fr',
  'wanadoo.fr',
  'libero.it',
  't-online.de',
  'qq.com',
  '163.com',
] as const;

/** Free mailbox providers missing from the list. */
const alsoFree = new Set<string>([...wellKnownProviders, 'pm.me', 'hey.com', 'tutanota.com', 'tuta.com']);

export const isDisposableDomain = (domain: string): boolean => disposableDomains().has(domain);
export const isForwardingDomain = (domain: string): boolean => forwarding.has(domain);
export const isFreeDomain = (domain: string): boolean =>
  alsoFree.has(domain) || (free.has(domain) && !disposableDomains().has(domain));
