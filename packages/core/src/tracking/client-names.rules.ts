/** What opens and clicks are counted by: names of programs, and kinds of devices. */

/**
 * Proxies of mail services by what their User-Agent contains. Apple Mail Privacy Protection says `Mozilla/5.0` and nothing else. They
 * load images whether or not a person looks at them, so they are kept apart from people.
 */
export const mailProxies: readonly { name: string; userAgent: RegExp }[] = [
  { name: 'Gmail image proxy', userAgent: /GoogleImageProxy/i },
  { name: 'Yahoo Mail proxy', userAgent: /YahooMailProxy/i },
  { name: 'Apple privacy proxy', userAgent: /^Mozilla\/5\.0$/ },
];

/** The name of prefetchers, scanners and crawlers, together. */
export const machine = 'Machine';

/** Kinds of devices that people use. */
export const personalDevices = ['desktop', 'mobile', 'tablet', 'other'] as const;
