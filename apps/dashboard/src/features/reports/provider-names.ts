const names: Readonly<Record<string, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
  yahoo: 'Yahoo',
  apple: 'Apple',
  proton: 'Proton',
  zoho: 'Zoho',
  fastmail: 'Fastmail',
  gmx: 'GMX',
  telekom: 'Telekom',
  freenet: 'freenet',
  mailru: 'Mail.ru',
  yandex: 'Yandex',
  other: 'Other',
};

/** The name of a mailbox provider by its key. */
export const providerName = (key: string): string => names[key] ?? key;
